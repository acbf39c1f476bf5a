export type AuthChallenge = { scheme: 'basic' } | { scheme: 'bearer'; realm: URL; service: string | undefined }

/** Reads WWW-Authenticate (RFC 9110 §11.6.1); undefined for schemes that registries do not use. */
export function readChallenge(header: string | undefined): AuthChallenge | undefined {
  if (header === undefined) return undefined
  if (/^basic(?:\s|$)/i.test(header)) return { scheme: 'basic' }
  if (!/^bearer\s/i.test(header)) return undefined
  const parameters = new Map(
    [...header.matchAll(/([a-z]+)="([^"]*)"/gi)].map(([, name = '', value = '']) => [name.toLowerCase(), value])
  )
  const realm = URL.parse(parameters.get('realm') ?? '')
  if (!realm || !/^https?:$/.test(realm.protocol) || realm.username !== '' || realm.password !== '') return undefined
  return { scheme: 'bearer', realm, service: parameters.get('service') }
}
