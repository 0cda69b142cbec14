// Judges Kubernetes manifests (YAML documents on stdin) twice: with the validators made from the API's JSON schemas
// (required fields, types, formats), and with the types made from the same schemas, which also know every field's
// name and so find misspelt ones. Prints one line for each complaint; exit code 1 if there is any.
import fs from "node:fs";
import ts from "typescript";
import { parseAllDocuments } from "yaml";

const manifests = parseAllDocuments(fs.readFileSync(0, "utf8"))
  .map((document) => document.toJS())
  .filter((manifest) => manifest);

const complaints = [];
const module = (it) =>
  (it.apiVersion.startsWith("monitoring.coreos.com/") ? "@kubernetes-models/prometheus-operator/" : "kubernetes-models/") +
  `${it.apiVersion}/${it.kind}`;
const name = (it) => `${it.kind} ${it.metadata?.name}`;

for (const it of manifests) {
  try {
    const kind = (await import(module(it)))[it.kind];
    new kind(it).validate();
  } catch (problem) {
    complaints.push(`${name(it)}: ${problem.message}`);
  }
}

const source = manifests
  .map((it, n) => `import type { I${it.kind} as T${n} } from "${module(it)}";\nexport const m${n}: T${n} = ${JSON.stringify(it)};`)
  .join("\n");
const file = "manifests.ts";
fs.writeFileSync(file, source);
const program = ts.createProgram([file], {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  types: [],
});
for (const found of ts.getPreEmitDiagnostics(program)) {
  const line = found.file ? found.file.getLineAndCharacterOfPosition(found.start).line : 0;
  const it = manifests[Math.floor(line / 2)];
  complaints.push(`${it ? name(it) : "-"}: ${ts.flattenDiagnosticMessageText(found.messageText, " ")}`);
}

complaints.forEach((line) => console.log(line));
console.log(`${manifests.length} manifests, ${complaints.length} complaints`);
process.exit(complaints.length === 0 && manifests.length > 0 ? 0 : 1);
