/**
 * The name as it is asked for: in lower case, without the dot at the end. Undefined for what no record of ours or of a name server
 * can be called, so that nothing of it reaches a message: labels of letters, digits, `-`, `_` and `*`.
 */
export function queryName(text: string): string | undefined {
  const name = text.toLowerCase().replace(/\.$/, '')
  return name.length <= 253 && /^[a-z0-9_*-]{1,63}(\.[a-z0-9_*-]{1,63})*$/.test(name) ? name : undefined
}
