import { isUtf8 } from 'node:buffer'

/** Maximum number of values in a body, nested ones included; valid requests have a few thousand. */
export const maxValues = 20_000

/** Undefined if not UTF-8 (RFC 8259 §8.1): invalid bytes would be stored as replacement characters. */
export const textOf = (bytes: Uint8Array): string | undefined =>
  isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString() : undefined

export const noText = ['MALFORMED_JSON', 'The body is not UTF-8 text'] as const

/** Whether the body may contain an unpaired surrogate: in valid UTF-8 only as an escape (RFC 8259 §8.2). */
export const mayHaveLoneSurrogate = (text: string): boolean => /\\u[dD][89a-fA-F]/.test(text)

/** Of a reported path. */
const maxPathLength = 200

/** Path of the first unpaired surrogate in a parsed body, such as `variables.0.value`. */
export function pathOfLoneSurrogate(root: unknown): string | undefined {
  const open: [value: unknown, path: string][] = [[root, '']]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, path] = next
    if (typeof value === 'string' && !value.isWellFormed()) return path.slice(0, maxPathLength).toWellFormed()
    if (typeof value !== 'object' || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      const inner = path === '' ? name : `${path}.${name}`
      open.push([name, inner], [member, inner])
    }
  }
  return undefined
}

/** Problem if a parsed body has too many values. Removes keys that could pollute prototypes. */
export function treeProblem(root: unknown): string | undefined {
  const open = [root]
  let values = 0
  while (open.length > 0) {
    const value = open.pop()
    if (++values > maxValues) return `The body has more than ${maxValues} values`
    if (typeof value !== 'object' || value === null) continue
    if (Object.hasOwn(value, '__proto__')) delete (value as { __proto__?: unknown }).__proto__
    if (Object.hasOwn(value, 'constructor')) {
      const { constructor } = value as { constructor: unknown }
      if (typeof constructor === 'object' && constructor !== null && Object.hasOwn(constructor, 'prototype'))
        delete (value as { constructor?: unknown }).constructor
    }
    const inner = Array.isArray(value) ? (value as unknown[]) : Object.values(value)
    if (values + open.length + inner.length > maxValues) return `The body has more than ${maxValues} values`
    for (const each of inner) open.push(each)
  }
  return undefined
}
