const redactedMark = '[redacted]'

const name = '[\\w.-]*(?:password|passwd|passphrase|secret|token|api[_-]?key|private[_-]?key|encryption[_-]?key)'

/** What looks like a secret in a log or configuration. */
const patterns: readonly [RegExp, string][] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, redactedMark],
  // The user and password of a URL.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@"'<>]+@/gi, `$1${redactedMark}@`],
  [/\b(bearer|basic) +[\w.~+/=-]{8,}/gi, `$1 ${redactedMark}`],
  // Schemes and parameters follow each other in these headers.
  [/\b((?:proxy-)?authorization|set-cookie|cookie)(["']?\s*[=:]\s*)[^\n]+/gi, `$1$2${redactedMark}`],
  // `name=value`, `name: value` and `"name": "value"`.
  // Quotes stay, so that JSON remains JSON.
  [new RegExp(`(\\b${name}["']?\\s*[=:]\\s*)(["'])[^"'\\n]*\\2`, 'gi'), `$1$2${redactedMark}$2`],
  [new RegExp(`(\\b${name}["']?\\s*[=:]\\s*)[^\\s,;&"'{}()[\\]]+`, 'gi'), `$1${redactedMark}`],
  // API tokens of this panel, and tokens of common services, recognisable by their prefix.
  [/\bpanel_[A-Za-z0-9_-]{43}/g, redactedMark],
  [/\b(?:ghp|gho|ghs|glpat|xox[bp]|sk_live|sk_test|AKIA)[-_]?[A-Za-z0-9_-]{16,}/g, redactedMark],
  // TOTP set-up links, and the query of links that carry a token.
  [/\botpauth:\/\/\S+/g, redactedMark]
]

/** Shorter values would redact ordinary words. */
const shortest = 6

/**
 * The text without secrets: those given, in plain, URL-encoded and base64 form, and what looks like one. The given ones
 * come first, because a pattern may cut off a part of them.
 */
export function redacted(text: string, secrets: readonly string[] = []): string {
  let result = text
  for (const form of formsOf(secrets)) result = result.replaceAll(form, redactedMark)
  for (const [pattern, replacement] of patterns) result = result.replace(pattern, replacement)
  return result
}

/** Longest first, so that no part of a longer secret remains. */
function formsOf(secrets: readonly string[]): string[] {
  const long = secrets.filter((secret) => secret.length >= shortest)
  const forms = long.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64').replace(/=+$/, '')
  ])
  return [...new Set(forms)].toSorted((a, b) => b.length - a.length)
}
