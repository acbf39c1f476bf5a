import type { Described } from '@panel/contract/details'
import { ValueProblem, type ZoneField } from './record-type.ts'
import { keyName, readParam, type ServiceParam } from './service-param.ts'

/** Parses SvcParams in ascending key order, as the wire format requires (RFC 9460 §2.2). Throws ValueProblem. */
export function readParams(fields: readonly ZoneField[]): ServiceParam[] {
  const params: ServiceParam[] = []
  for (let index = 0; index < fields.length; index++) {
    const { text, isQuoted } = fields[index]!
    const next = fields[index + 1]
    // `alpn="h2,h3"` arrives as two fields, the second quoted.
    const isOpen = text.endsWith('=') && next?.isQuoted === true
    const [, name, value = ''] = /^([a-z0-9-]{1,63})(?:=(.*))?$/.exec(text) ?? []
    if (isQuoted || name === undefined)
      throw new ValueProblem('PARAM_EXPECTED', { text: JSON.stringify(text.slice(0, 60)) })
    params.push(readParam(name, isOpen ? value + next.text : value))
    if (isOpen) index++
  }
  return params.sort((one, other) => one.key - other.key)
}

/** Why the parameters contradict each other (RFC 9460 §2.2, §7.1.1, §8). */
export function paramProblem(params: readonly ServiceParam[]): Described | undefined {
  const keys = params.map(({ key }) => key)
  const twice = keys.find((key, index) => keys.indexOf(key) < index)
  if (twice !== undefined) return { code: 'PARAM_TWICE', values: { name: keyName(twice) } }
  if (keys.includes(2) && !keys.includes(1)) return { code: 'ALPN_MISSING' }
  const mandatory = params.find(({ key }) => key === 0)?.value ?? Buffer.alloc(0)
  const needed = Array.from({ length: mandatory.length / 2 }, (_, index) => mandatory.readUInt16BE(index * 2))
  const missing = needed.find((key) => !keys.includes(key))
  return missing === undefined ? undefined : { code: 'MANDATORY_MISSING', values: { name: keyName(missing) } }
}
