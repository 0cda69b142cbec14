{{- /* the pod of Deployment and DaemonSet */}}
{{- define "penstock.pod" -}}
metadata:
  labels:
    {{- include "penstock.labels" . | nindent 4 }}
    {{- with .Values.podLabels }}{{ toYaml . | nindent 4 }}{{ end }}
  annotations:
    penstock.io/fixed-config: {{ include "penstock.fixed" . }}
    {{- with .Values.podAnnotations }}{{ toYaml . | nindent 4 }}{{ end }}
spec:
  serviceAccountName: {{ include "penstock.account" . }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ add .Values.preStopSeconds .Values.drainSeconds 10 }}
  securityContext: {{- include "penstock.unprivileged" . | nindent 4 }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if .Values.hostNetwork }}
  hostNetwork: true
  dnsPolicy: ClusterFirstWithHostNet
  {{- end }}
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  affinity: {{- include "penstock.affinity" . | nindent 4 }}
  {{- if eq .Values.kind "Deployment" }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels: {{- include "penstock.selector" . | nindent 10 }}
  {{- end }}
  containers:
    - {{- include "penstock.container" . | nindent 6 }}
  volumes: {{- include "penstock.volumes" . | nindent 4 }}
{{- end }}

{{- define "penstock.affinity" -}}
{{- $arch := dict "requiredDuringSchedulingIgnoredDuringExecution" (dict "nodeSelectorTerms" (list (dict "matchExpressions"
    (list (dict "key" "kubernetes.io/arch" "operator" "In" "values" .Values.architectures))))) }}
{{- toYaml (mergeOverwrite (dict "nodeAffinity" $arch) (deepCopy .Values.affinity)) }}
{{- end }}

{{- define "penstock.container" -}}
name: gateway
image: {{ include "penstock.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
args: [gateway, --config, /etc/penstock/config/gateway.yaml]
env:
  - name: JDK_JAVA_OPTIONS
    value: {{ .Values.javaOptions | quote }}
  {{- with .Values.extraEnv }}{{ toYaml . | nindent 2 }}{{ end }}
ports:
  - name: s3
    containerPort: 9000
    {{- if .Values.hostPort }}
    hostPort: {{ .Values.hostPort }}
    {{- end }}
  - {name: admin, containerPort: 9001{{ if .Values.hostNetwork }}, hostPort: 9001{{ end }}}
securityContext: {{- include "penstock.confined" . | nindent 2 }}
# started: once; alive: an event loop answers; ready: takes new requests. None of them asks the store.
startupProbe:
  httpGet: {path: /health/live, port: admin}
  periodSeconds: 1
  failureThreshold: 60
livenessProbe:
  httpGet: {path: /health/live, port: admin}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
readinessProbe:
  httpGet: {path: /health/ready, port: admin}
  periodSeconds: 5
  timeoutSeconds: 2
  failureThreshold: 1
# it is still served while the Service learns that it goes; then SIGTERM drains it
lifecycle:
  preStop:
    sleep: {seconds: {{ .Values.preStopSeconds }}}
resources: {{- toYaml .Values.resources | nindent 2 }}
volumeMounts:
  - {name: config, mountPath: /etc/penstock/config, readOnly: true}
  - {name: store, mountPath: /etc/penstock/store, readOnly: true}
  {{- if .Values.store.caSecret }}
  - {name: store-ca, mountPath: /etc/penstock/store-ca, readOnly: true}
  {{- end }}
  {{- if .Values.tls.secretName }}
  - {name: tls, mountPath: /etc/penstock/tls, readOnly: true}
  {{- if .Values.tls.clientCaSecret }}
  - {name: client-ca, mountPath: /etc/penstock/client-ca, readOnly: true}
  {{- end }}
  {{- end }}
  {{- range .Values.tenants }}{{ if not .anonymous }}
  - {name: tenant-{{ .name }}, mountPath: /etc/penstock/tenants/{{ .name }}, readOnly: true}
  {{- end }}{{ end }}
  # native libraries are unpacked there
  - {name: tmp, mountPath: /tmp}
  {{- if .Values.diskCache.enabled }}
  - {name: disk-cache, mountPath: /var/cache/penstock}
  {{- end }}
  {{- with .Values.extraVolumeMounts }}{{ toYaml . | nindent 2 }}{{ end }}
{{- end }}

{{- define "penstock.volumes" -}}
- name: config
  configMap: {name: {{ include "penstock.name" . }}}
- name: store
  secret: {secretName: {{ .Values.store.credentialsSecret }}, defaultMode: 0440}
{{- with .Values.store.caSecret }}
- name: store-ca
  secret: {secretName: {{ . }}, defaultMode: 0440}
{{- end }}
{{- if .Values.tls.secretName }}
- name: tls
  secret: {secretName: {{ .Values.tls.secretName }}, defaultMode: 0440}
{{- with .Values.tls.clientCaSecret }}
- name: client-ca
  secret: {secretName: {{ . }}, defaultMode: 0440}
{{- end }}
{{- end }}
{{- range .Values.tenants }}{{ if not .anonymous }}
- name: tenant-{{ .name }}
  secret: {secretName: {{ .secret }}, defaultMode: 0440}
{{- end }}{{ end }}
- name: tmp
  emptyDir: {sizeLimit: 512Mi}
{{- if .Values.diskCache.enabled }}
- name: disk-cache
  {{- if .Values.diskCache.hostPath }}
  hostPath: {path: {{ .Values.diskCache.hostPath }}, type: DirectoryOrCreate}
  {{- else }}
  emptyDir: {}
  {{- end }}
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}
