import type { Answer, ApiDocument, Operation } from '@proofdesk/contract/openapi'
import type { ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { CopyButton } from '../../ui/copy-button.tsx'
import type { ReferenceCall } from './calls.ts'
import { answersWithFile, writeCurl } from './curl.ts'
import { FieldTable } from './field-table.tsx'
import { Marked } from './marked.tsx'
import { listFields, nameType, type FieldRow } from './fields.ts'

/** All there is to know of one call. */
export function CallDetails({ call, document }: { call: ReferenceCall; document: ApiDocument }) {
  const { method, path, operation } = call
  const { schemas } = document.components
  const body = Object.entries(operation.requestBody?.content ?? {})[0]
  return (
    <div className="grid gap-6 border-t border-line px-4 pt-5 pb-6 sm:px-5">
      <Part title={m.api_example()}>
        <CurlExample call={call} curl={writeCurl(addressOf(document), method, path, operation)} />
      </Part>
      {operation.parameters.length > 0 && (
        <Part title={m.api_parameters()}>
          <FieldTable caption={m.api_parameters_of({ call: nameCall(call) })} rows={listParameters(operation)} />
        </Part>
      )}
      {body && (
        <Part title={m.api_body()} note={body[0]}>
          <FieldTable caption={m.api_body_of({ call: nameCall(call) })} rows={listFields(body[1].schema, schemas)} />
        </Part>
      )}
      <Part title={m.api_answer()}>
        <Successes call={call} document={document} />
      </Part>
      <Part title={m.api_refusals()}>
        <Refusals responses={operation.responses} />
      </Part>
    </div>
  )
}

export function nameCall({ method, path }: Pick<ReferenceCall, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`
}

function addressOf(document: ApiDocument): string {
  return `${location.origin}${document.servers[0]?.url ?? ''}`
}

function Part({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <section className="min-w-0">
      <h4 className="mb-2 flex flex-wrap items-baseline gap-x-3 font-semibold">
        {title}
        {note && <code className="font-mono text-xs font-normal text-ink-2">{note}</code>}
      </h4>
      {children}
    </section>
  )
}

function CurlExample({ call, curl }: { call: ReferenceCall; curl: string }) {
  return (
    <div className="relative rounded-control border border-line bg-sunk">
      <pre
        className="py-3 ps-4 pe-12 font-mono text-[0.82rem] leading-relaxed wrap-anywhere whitespace-pre-wrap"
        dir="ltr"
      >
        <code>{curl}</code>
      </pre>
      <span className="absolute end-2 top-2">
        <CopyButton text={curl} label={m.api_copy({ call: nameCall(call) })} />
      </span>
    </div>
  )
}

function listParameters({ parameters }: Operation): FieldRow[] {
  return parameters.map((parameter) => ({
    name: parameter.name,
    type: `${nameType(parameter.schema)} · ${parameter.in}`,
    isRequired: parameter.required,
    description: parameter.description ?? '',
  }))
}

function Successes({ call, document }: { call: ReferenceCall; document: ApiDocument }) {
  const successes = Object.entries(call.operation.responses).filter(([status]) => Number(status) < 400)
  const [types, schema] = findAnswer(successes.map(([, answer]) => answer))
  const rows = schema && !answersWithFile(call.operation) ? listFields(schema, document.components.schemas) : []
  return (
    <>
      <dl className="grid gap-1.5">
        {successes.map(([status, { description }]) => (
          <StatusLine key={status} status={status} tone="text-ok">
            <Marked text={description} />
          </StatusLine>
        ))}
      </dl>
      {answersWithFile(call.operation) && <p className="mt-2 font-mono text-xs text-ink-2">{types.join(', ')}</p>}
      {rows.length > 0 && (
        <div className="mt-3">
          <FieldTable caption={m.api_answer_of({ call: nameCall(call) })} rows={rows} allPresent />
        </div>
      )}
    </>
  )
}

function findAnswer(answers: Answer[]) {
  const content = answers.find((answer) => answer.content)?.content ?? {}
  return [Object.keys(content), Object.values(content)[0]?.schema] as const
}

function Refusals({ responses }: Pick<Operation, 'responses'>) {
  return (
    <dl className="grid gap-1.5">
      {Object.entries(responses)
        .filter(([status]) => Number(status) >= 400)
        .map(([status, { description }]) => (
          <StatusLine key={status} status={status} tone="text-seal">
            {description.split('\n').map((line) => (
              <Refusal key={line} line={line} />
            ))}
          </StatusLine>
        ))}
    </dl>
  )
}

/** A line is a code between backticks and its words. */
function Refusal({ line }: { line: string }) {
  const [, code, words] = /^`(\w+)`: (.*)$/.exec(line) ?? []
  return (
    <span className="block">
      {code && <code className="me-2 font-mono text-[0.82rem] text-ink">{code}</code>}
      {words ?? line}
    </span>
  )
}

function StatusLine({ status, tone, children }: { status: string; tone: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[3rem_minmax(0,1fr)] gap-x-2">
      <dt className={`font-mono font-semibold ${tone}`}>{status}</dt>
      <dd className="wrap-anywhere text-ink-2">{children}</dd>
    </div>
  )
}
