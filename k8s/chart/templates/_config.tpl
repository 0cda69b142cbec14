{{- /*
The gateway's configuration file as a tree: what follows from the values, then .Values.config laid over it.
Secrets are never in it, only the names of the files they are mounted as.
*/}}
{{- define "penstock.config" -}}
{{- $s3 := dict "host" "0.0.0.0" "port" 9000 }}
{{- if .Values.tls.secretName }}
{{- $tls := dict "certificate" "/etc/penstock/tls/tls.crt" "key" "/etc/penstock/tls/tls.key" }}
{{- if .Values.tls.clientCaSecret }}{{ $_ := set $tls "client-ca" "/etc/penstock/client-ca/ca.crt" }}{{ end }}
{{- $_ := set $s3 "tls" $tls }}
{{- end }}
{{- $store := "/etc/penstock/store" }}
{{- $upstream := dict "endpoints" .Values.store.endpoints "region" .Values.store.region "addressing" .Values.store.addressing
    "access-key-file" (printf "%s/access-key" $store) "secret-key-file" (printf "%s/secret-key" $store) }}
{{- if .Values.store.sessionToken }}{{ $_ := set $upstream "session-token-file" (printf "%s/session-token" $store) }}{{ end }}
{{- if .Values.store.caSecret }}{{ $_ := set $upstream "tls" (dict "ca" "/etc/penstock/store-ca/ca.crt") }}{{ end }}
{{- $tenants := list }}
{{- range .Values.tenants }}
{{- $tenant := dict "name" .name }}
{{- if .anonymous }}
{{- $_ := set $tenant "anonymous" true }}
{{- else }}
{{- $_ := set $tenant "access-key-file" (printf "/etc/penstock/tenants/%s/access-key" .name) }}
{{- $_ := set $tenant "secret-key-file" (printf "/etc/penstock/tenants/%s/secret-key" .name) }}
{{- end }}
{{- if .policy }}{{ $_ := set $tenant "policy" .policy }}{{ end }}
{{- $tenants = append $tenants $tenant }}
{{- end }}
{{- $tree := dict
    "listen" (dict "s3" $s3 "admin" (dict "host" "0.0.0.0" "port" 9001))
    "upstream" $upstream
    "tenants" $tenants
    "limits" (dict "drain-timeout" (printf "%ds" (int .Values.drainSeconds))) }}
{{- if .Values.diskCache.enabled }}
{{- $_ := set $tree "cache" (dict "disk" (dict "path" "/var/cache/penstock/blocks" "size" .Values.diskCache.size)) }}
{{- end }}
{{- toYaml (mergeOverwrite $tree (deepCopy .Values.config)) }}
{{- end }}

{{- /*
What cannot change while a gateway runs. A change of the rest is taken on by the running pods; a change of this
rolls them, because its sum is an annotation of theirs.
*/}}
{{- define "penstock.fixed" -}}
{{- $tree := include "penstock.config" . | fromYaml }}
{{- $limits := pick (default dict $tree.limits) "max-request-line" "max-headers" }}
{{- toYaml (set (omit $tree "tenants" "batch" "log") "limits" $limits) | sha256sum }}
{{- end }}
