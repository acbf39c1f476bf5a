type Headers = Readonly<Record<string, string | string[] | undefined>>

const requestHeaders = ['accept', 'accept-language', 'content-type', 'content-length', 'user-agent', 'if-modified-since', 'x-requested-with'] // oxfmt-ignore
const responseHeaders = ['content-type', 'content-length', 'content-disposition', 'content-security-policy', 'location', 'last-modified'] // oxfmt-ignore

/** Adminer's own cookies only: not the panel's, and not the one that stores a password. */
const isForwardedCookie = (name: string) => /^adminer_[a-z]+$/.test(name) && name !== 'adminer_permanent'

/** Request headers for Adminer. An allowlist: panel sessions, tokens and spoofed client addresses must not reach it. */
export function forwardedRequestHeaders(
  headers: Headers,
  session: { id: string; userId: string }
): Readonly<Record<string, string>> {
  const cookies = textOf(headers.cookie)
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => isForwardedCookie(pair.split('=')[0]!))
  return {
    ...pick(headers, requestHeaders),
    ...(cookies.length > 0 ? { cookie: cookies.join('; ') } : {}),
    'x-panel-session': session.id,
    'x-panel-user': session.userId
  }
}

/** Response headers for the browser. Cookies are limited to /adminer and hidden from scripts. */
export function forwardedResponseHeaders(
  headers: Headers,
  { isSecure }: { isSecure: boolean }
): Readonly<Record<string, string | string[]>> {
  const setCookies = [headers['set-cookie'] ?? []].flat().flatMap((text) => {
    const [pair = '', ...attributes] = text.split(';').map((part) => part.trim())
    if (!isForwardedCookie(pair.split('=')[0]!)) return []
    const lifetime = attributes.filter((attribute) => /^(expires|max-age)=/i.test(attribute))
    return [
      [pair, 'Path=/adminer', 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : []), ...lifetime].join('; ')
    ]
  })
  return {
    ...pick(headers, responseHeaders),
    // Only Adminer's versioned assets are cached; everything else is user data.
    ...(headers['cache-control'] === 'immutable' ? { 'cache-control': 'private, max-age=31536000, immutable' } : {}),
    // Form posts must carry their origin, which the panel's own `no-referrer` policy would suppress.
    'referrer-policy': 'same-origin',
    ...(setCookies.length > 0 ? { 'set-cookie': setCookies } : {})
  }
}

const pick = (headers: Headers, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, textOf(headers[name])]])))

const textOf = (value: string | string[] | undefined): string => [value ?? []].flat().join('; ')
