import { isHostname } from '../net/hostname.ts'
import { fieldsOf, joinFields } from './character-string.ts'
import { absoluteName, isLabel, targetOrRoot } from './domain-name.ts'
import { ownNameProblem } from './host.ts'
import { type OwnedContent, recordProblem, type RecordProblem, type RecordType, ValueProblem } from './record-type.ts'
import { keyName, paramText, type ServiceParam } from './service-param.ts'
import { paramProblem, readParams } from './service-params.ts'

// RFC 9460. The priority is a member; the value is the target, in ServiceMode (priority > 0) followed by parameters in
// key order: `svc.example.net alpn=h2,h3 port=8443`.
function serviceType(code: number): RecordType {
  return {
    code,
    members: ['priority'],
    normalize,
    contentProblem,
    // RFC 9460 §2.4.1: ServiceMode records are ignored next to AliasMode ones.
    conflict: (candidate, other) =>
      (candidate.priority === 0) === (other.priority === 0)
        ? undefined
        : { code: 'ALIAS_ALONE', values: { owner: candidate.owner } },
    isCaseSensitive: true,
    // An IPv6 address may have more bytes than characters.
    wireBytes: (text) =>
      readParams(fieldsOf(text).slice(1)).reduce((sum, { value }) => sum + 4 + value.length, text.length + 4),
    file: {
      names: [1],
      read: joinFields,
      write: (value) => value.replace(/^[^ ]+/, absoluteName)
    },
    fromWire(rdata) {
      const [priority, target] = [rdata.uint16(), rdata.name()]
      const params: string[] = []
      while (!rdata.isAtEnd()) {
        const key = rdata.uint16()
        params.push(shownParam({ key, value: rdata.bytes(rdata.uint16()) }))
      }
      return [priority, target, ...params].join(' ')
    }
  }
}

/** RFC 9460 §14.1. */
export const svcb = serviceType(64)

/** RFC 9460 §9. */
export const https = serviceType(65)

function normalize(value: string, origin: string): string {
  const [target, ...rest] = fieldsOf(value)
  if (!target || target.isQuoted) throw new ValueProblem('SERVICE_FORM')
  const name = targetOrRoot(target.text, origin, isLabel)
  const params = readParams(rest)
  const problem = paramProblem(params)
  if (problem) throw new ValueProblem(problem.code, problem.values)
  return [name, ...params.map(paramText)].join(' ')
}

function contentProblem({ owner, value, priority, ...numbers }: OwnedContent): RecordProblem | undefined {
  const [target = '', ...params] = value.split(' ')
  if (priority === 0)
    return params.length > 0
      ? recordProblem('value', { code: 'ALIAS_PARAMS' })
      : ownNameProblem({ owner, value: target, priority, ...numbers })
  if (target === '.' || isHostname(target)) return undefined
  return recordProblem('value', { code: 'SERVICE_TARGET' })
}

function shownParam(param: ServiceParam): string {
  try {
    return paramText(param)
  } catch (error) {
    if (!(error instanceof ValueProblem)) throw error
    return `${keyName(param.key)}=\\# ${param.value.toString('hex')}`
  }
}
