export interface PhpToken {
  type: 'string' | 'name' | 'variable' | 'symbol' | 'unknown'
  text: string
}

// Each pattern consumes an unterminated token up to the end of the file, so that matching stays linear (ReDoS).
const singleQuoted = /'((?:[^'\\]|\\[^])*)('|\\?$)/y
const doubleQuoted = /"((?:[^"\\]|\\[^])*)("|\\?$)/y
const skipped = /\s+|(?:\/\/|#(?!\[))[^\n]*?(?=\?>|\n|$)|\/\*[^]*?(?:\*\/|$)/y
const word = /\\?[A-Za-z_\x80-\uffff][\w\\\x80-\uffff]*/y
const variable = /\$([A-Za-z_\x80-\uffff][\w\x80-\uffff]*)/y
const heredoc = /<<<[ \t]*(["']?)([A-Za-z_]\w*)\1\r?\n/y
const symbol = /\?:|\?>|[^]/y

export function* phpTokens(text: string): Generator<PhpToken> {
  let at = afterOpeningTag(text, 0)
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match) at += match[0].length
    return match ?? undefined
  }
  while (at < text.length) {
    if (take(skipped)) continue
    let match: RegExpExecArray | undefined
    if ((match = take(singleQuoted) ?? take(doubleQuoted))) yield quotedToken(match[1]!, match[2]!)
    else if ((match = take(heredoc))) {
      at = afterHeredoc(text, at, match[2]!)
      yield { type: 'unknown', text: '' }
    } else if ((match = take(variable))) yield { type: 'variable', text: match[1]! }
    else if ((match = take(word))) yield { type: 'name', text: match[0].replace(/^\\/, '') }
    else {
      match = take(symbol)!
      yield { type: 'symbol', text: match[0] === '?>' ? ';' : match[0] }
      if (match[0] === '?>') at = afterOpeningTag(text, at)
    }
  }
}

function afterOpeningTag(text: string, from: number): number {
  const tag = /<\?(?:php\b|=)/gi
  tag.lastIndex = from
  return tag.exec(text) ? tag.lastIndex : text.length
}

function afterHeredoc(text: string, from: number, label: string): number {
  const end = new RegExp(`^[ \\t]*${label}\\b`, 'gm')
  end.lastIndex = from
  return end.exec(text) ? end.lastIndex : text.length
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', v: '\v', e: '\x1b', f: '\f', '\\': '\\', $: '$', '"': '"' } // oxfmt-ignore

function quotedToken(body: string, end: string): PhpToken {
  if (end === "'") return { type: 'string', text: body.replace(/\\([\\'])/g, '$1') }
  return end === '"' ? doubleQuotedToken(body) : { type: 'unknown', text: body }
}

/** `unknown` if the string interpolates a variable or has a numeric escape. */
function doubleQuotedToken(body: string): PhpToken {
  const hasVariable = /(?<!\\)(?:\\\\)*(?:\$[A-Za-z_{]|\{\$)/.test(body)
  const hasNumber = /(?<!\\)(?:\\\\)*\\(?:[0-7]|x[0-9A-Fa-f]|u\{)/.test(body)
  if (hasVariable || hasNumber) return { type: 'unknown', text: body }
  return { type: 'string', text: body.replace(/\\([^])/g, (whole, char: string) => escapes[char] ?? whole) }
}
