import { type PhpToken, phpTokens } from './php-tokens.policy.ts'

const databaseConstants = ['DB_NAME', 'DB_USER', 'DB_PASSWORD', 'DB_HOST', 'DB_CHARSET'] as const
type DatabaseConstant = (typeof databaseConstants)[number]

export type WpConfig = Readonly<Record<DatabaseConstant | 'tablePrefix', string | undefined>>

/**
 * Evaluates constants, `$table_prefix`, `getenv('X')`, `.` and `?:` only. As in PHP, the first `define` and the
 * last assignment win; conditions are ignored.
 */
export function readWpConfig(text: string, env: Readonly<Record<string, string>> = {}): WpConfig {
  const tokens = [...phpTokens(text)]
  const constants = new Map<string, string | undefined>()
  let tablePrefix: string | undefined
  tokens.forEach((token, index) => {
    if (token.type === 'name' && token.text.toLowerCase() === 'define') {
      const [open, name, comma] = tokens.slice(index + 1, index + 4)
      if (!isSymbol(open, '(') || name?.type !== 'string' || !isSymbol(comma, ',')) return
      if (!constants.has(name.text)) constants.set(name.text, valueAt(tokens, index + 4, [')', ','], env))
    } else if (isTablePrefix(token) && isSymbol(tokens[index + 1], '=') && !isSymbol(tokens[index + 2], '=')) {
      tablePrefix = valueAt(tokens, index + 2, [';'], env)
    }
  })
  const [DB_NAME, DB_USER, DB_PASSWORD, DB_HOST, DB_CHARSET] = databaseConstants.map((name) => constants.get(name))
  return { DB_NAME, DB_USER, DB_PASSWORD, DB_HOST, DB_CHARSET, tablePrefix }
}

const isSymbol = (token: PhpToken | undefined, text: string): boolean => token?.type === 'symbol' && token.text === text

const isTablePrefix = ({ type, text }: PhpToken): boolean => type === 'variable' && text === 'table_prefix'

/** Undefined for any other expression. An unset variable is '', as in PHP. */
function valueAt(
  tokens: readonly PhpToken[],
  from: number,
  ends: readonly string[],
  env: Readonly<Record<string, string>>
): string | undefined {
  let chosen = ''
  let joined: string | undefined
  for (let at = from; ;) {
    const operand = operandAt(tokens, at, env)
    if (!operand) return undefined
    joined = (joined ?? '') + operand.value
    if (joined.length > maxValueLength) return undefined
    const next = tokens[at + operand.length]
    if (next?.type !== 'symbol') return undefined
    at += operand.length + 1
    if (next.text === '.') continue
    if (chosen === '') chosen = isTruthy(joined) || next.text !== '?:' ? joined : ''
    if (ends.includes(next.text)) return chosen
    if (next.text !== '?:') return undefined
    joined = undefined
  }
}

// A long variable could be concatenated many times.
const maxValueLength = 64 * 1024

const isTruthy = (text: string): boolean => text !== '' && text !== '0'

function operandAt(
  tokens: readonly PhpToken[],
  at: number,
  env: Readonly<Record<string, string>>
): { value: string; length: number } | undefined {
  const [first, open, name, close] = tokens.slice(at, at + 4)
  if (first?.type === 'string') return { value: first.text, length: 1 }
  const isGetenv = first?.type === 'name' && first.text.toLowerCase() === 'getenv'
  if (!isGetenv || !isSymbol(open, '(') || name?.type !== 'string' || !isSymbol(close, ')')) return undefined
  return { value: Object.hasOwn(env, name.text) ? env[name.text]! : '', length: 4 }
}
