type Headers = Readonly<Record<string, string | string[] | undefined>>

const ofRequests = ['accept', 'accept-language', 'content-type', 'content-length', 'user-agent', 'if-modified-since', 'x-requested-with'] // prettier-ignore
const ofAnswers = ['content-type', 'content-length', 'content-disposition', 'content-security-policy', 'location', 'last-modified'] // prettier-ignore

/** The cookies of Adminer that it gets back: neither the panel's own nor what keeps a password. */
const isPassedOn = (name: string) => /^adminer_[a-z]+$/.test(name) && name !== 'adminer_permanent'

/**
 * What is told to the administration program of a request: a list of what it needs, so that nothing else gets there, such as a session of
 * the panel, a token or an address that the client has made up.
 */
export function passedOnHeaders(
  headers: Headers,
  session: { id: string; userId: string }
): Readonly<Record<string, string>> {
  const cookies = textOf(headers.cookie)
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => isPassedOn(pair.split('=')[0]!))
  return {
    ...pick(headers, ofRequests),
    ...(cookies.length > 0 ? { cookie: cookies.join('; ') } : {}),
    'x-panel-session': session.id,
    'x-panel-user': session.userId
  }
}

/** What is told to the browser of an answer. Its cookies come back to this address alone, and no script reads them. */
export function answeredHeaders(
  headers: Headers,
  { isSecure }: { isSecure: boolean }
): Readonly<Record<string, string | string[]>> {
  const setCookies = [headers['set-cookie'] ?? []].flat().flatMap((text) => {
    const [pair = '', ...attributes] = text.split(';').map((part) => part.trim())
    if (!isPassedOn(pair.split('=')[0]!)) return []
    const lifetime = attributes.filter((attribute) => /^(expires|max-age)=/i.test(attribute))
    return [
      [pair, 'Path=/adminer', 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : []), ...lifetime].join('; ')
    ]
  })
  return {
    ...pick(headers, ofAnswers),
    // Its own files, whose addresses name their version; all else is somebody's data.
    ...(headers['cache-control'] === 'immutable' ? { 'cache-control': 'private, max-age=31536000, immutable' } : {}),
    // Forms must say where they come from, which they do not under the panel's own `no-referrer`.
    'referrer-policy': 'same-origin',
    ...(setCookies.length > 0 ? { 'set-cookie': setCookies } : {})
  }
}

const pick = (headers: Headers, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, textOf(headers[name])]])))

const textOf = (value: string | string[] | undefined): string => [value ?? []].flat().join('; ')
