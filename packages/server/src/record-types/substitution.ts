import type { Described } from '@panel/contract/details'

/** Such as `!^.*$!sip:info@example.net!i` (RFC 3402 §3.2). Stricter than POSIX where implementations differ. */
export function substitutionProblem(text: string): Described | undefined {
  if (text === '') return undefined
  const delimiter = text[0]!
  if (/[0-9i\\]/.test(delimiter)) return { code: 'SUBSTITUTION_DELIMITER' }
  const parts = splitAt(text.slice(1), delimiter)
  if (parts.length !== 3) return { code: 'SUBSTITUTION_PARTS', values: { mark: delimiter } }
  const [expression, replacement, flags] = parts as [string, string, string]
  if (flags !== '' && flags !== 'i') return { code: 'SUBSTITUTION_FLAGS' }
  const groups = countGroups(expression)
  if (groups === undefined) return { code: 'SUBSTITUTION_EXPRESSION' }
  for (const [, character] of replacement.matchAll(/\\(.?)/g)) {
    if (character === '' || character === '0' || (/\d/.test(character!) && Number(character) > groups))
      return { code: 'SUBSTITUTION_GROUPS' }
  }
  return undefined
}

function splitAt(text: string, delimiter: string): string[] {
  const parts: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === delimiter) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}

function countGroups(expression: string): number | undefined {
  const tokens =
    /\\[\^.[\]$()|*+?{}\\/!-]|\[\^?\]?(?:[^[\]\\]|\\(?!\])|\[:(?:alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit):\])*\]|\{\d{1,3}(?:,\d{0,3})?\}|[^\\[\]{}]/gy
  let groups = 0
  const open: boolean[] = []
  // hasAtom: there is something to repeat. isEmpty: the current alternative is empty.
  let hasAtom = false
  let isEmpty = true
  let end = 0
  for (const { 0: token, index } of expression.matchAll(tokens)) {
    end = index + token.length
    if (token === '(') {
      open.push(true)
      groups++
      ;[hasAtom, isEmpty] = [false, true]
    } else if (token === ')') {
      if (isEmpty || !open.pop()) return undefined
      ;[hasAtom, isEmpty] = [true, false]
    } else if (token === '|') {
      if (isEmpty) return undefined
      ;[hasAtom, isEmpty] = [false, true]
    } else if (/^([*+?]|\{.+)$/.test(token)) {
      if (!hasAtom || !isBound(token)) return undefined
      hasAtom = false
    } else if (token === '^' || token === '$') [hasAtom, isEmpty] = [false, false]
    else if (token.startsWith('[') && !isBracket(token)) return undefined
    else [hasAtom, isEmpty] = [true, false]
  }
  return end === expression.length && !isEmpty && open.length === 0 ? groups : undefined
}

function isBound(token: string): boolean {
  if (!token.startsWith('{')) return true
  const [least = 0, most = least] = token.slice(1, -1).split(',').filter(Boolean).map(Number)
  return least <= most && most <= 255
}

function isBracket(token: string): boolean {
  const inner = token
    .replace(/^\[\^?/, '')
    .slice(0, -1)
    .replaceAll(/\[:[a-z]+:\]/g, '')
  if (inner === '' ? !token.includes('[:') : token.includes('[:') && inner.includes('-')) return false
  return [...inner.matchAll(/(.)-(.)/g)].every(([, from, to]) => from! <= to!)
}
