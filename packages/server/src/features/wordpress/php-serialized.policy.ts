/**
 * latin1, one character per byte: PHP counts the bytes of a string.
 * Grammar: https://www.php.net/manual/en/function.serialize.php and ext/standard/var_unserializer.re.
 */
export type BinaryText = string

interface RewrittenValue {
  value: BinaryText
  /** Looks serialized but is not well formed, so PHP cannot read it either; left unchanged. */
  isMalformed: boolean
}

// Serialized strings nest: a plugin's cache of a widget option is three levels deep.
const maxDepth = 50
const looksSerialized = /^\s*(?:a:\d+:\{|s:\d+:"|[OCE]:\d+:"|[bidrR]:|N;)/
const isCertainlySerialized = /^\s*(?:a:\d+:\{|s:\d+:"|[OCE]:\d+:")/

export function rewriteValue(value: BinaryText, replace: (text: BinaryText) => BinaryText, depth = 0): RewrittenValue {
  if (!looksSerialized.test(value)) return { value: replace(value), isMalformed: false }
  if (depth > maxDepth) return { value, isMalformed: true }
  // WordPress trims before it unserializes.
  const start = value.length - value.trimStart().length
  const end = value.trimEnd().length
  let isMalformed = false
  const rewritten = rewriteSerialized(value.slice(start, end), (text) => {
    const nested = rewriteValue(text, replace, depth + 1)
    isMalformed ||= nested.isMalformed
    return nested.value
  })
  if (rewritten !== undefined) return { value: `${value.slice(0, start)}${rewritten}${value.slice(end)}`, isMalformed }
  if (isCertainlySerialized.test(value)) return { value, isMalformed: true }
  return { value: replace(value), isMalformed: false }
}

/** Undefined unless the input is exactly one well-formed value. Iterative, because arrays may nest arbitrarily deep. */
function rewriteSerialized(input: BinaryText, rewrite: (text: BinaryText) => BinaryText): BinaryText | undefined {
  let output = ''
  let copied = 0
  const open: number[] = []
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(input)
    if (found) at = pattern.lastIndex
    return found ?? undefined
  }
  for (;;) {
    if (open.at(-1) === 0) {
      if (input[at] !== '}') return undefined
      at++
      open.pop()
    } else {
      if (open.length > 0) open[open.length - 1]!--
      const container = take(containerPattern)
      if (container) open.push(Number(container[1] ?? container[2]) * 2)
      else if (!take(scalarPattern) && !takeString() && !takeOpaque()) return undefined
    }
    if (open.length === 0) return at === input.length ? output + input.slice(copied) : undefined
  }

  function takeString(): boolean {
    const start = at
    const string = take(stringPattern)
    const text = string && takeBytes(Number(string[1]), '";')
    if (text === undefined) return false
    const rewritten = rewrite(text)
    if (rewritten === text) return true
    output += `${input.slice(copied, start)}s:${rewritten.length}:"${rewritten}";`
    copied = at
    return true
  }

  function takeBytes(length: number, end: string): BinaryText | undefined {
    const text = input.slice(at, at + length)
    if (text.length !== length || !input.startsWith(end, at + length)) return undefined
    at += length + end.length
    return text
  }

  /** Custom class serialization (C) and enum cases (E) are copied unchanged. */
  function takeOpaque(): boolean {
    const custom = take(customPattern)
    if (custom) return takeBytes(Number(custom[1]), '}') !== undefined
    const enumeration = take(enumPattern)
    return enumeration !== undefined && takeBytes(Number(enumeration[1]), '";') !== undefined
  }
}

// Unambiguous by construction, so that a mismatch is found in one pass (ReDoS).
const scalarPattern = /N;|b:[01];|i:[+-]?\d+;|d:(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|-?INF|NAN);|[rR]:\d+;/y
const stringPattern = /s:(\d{1,10}):"/y
const containerPattern = /(?:a:(\d{1,9})|O:\d{1,5}:"[\w\\\x80-\xff]+":(\d{1,9})):\{/y
const customPattern = /C:\d{1,5}:"[\w\\\x80-\xff]+":(\d{1,10}):\{/y
const enumPattern = /E:(\d{1,5}):"/y
