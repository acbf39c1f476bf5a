import type { Writes } from '../process/free-disk-space.ts'

const byRoute: readonly (readonly [RegExp, Writes | 'nothing'])[] = [
  [/^\/api\/auth\/(register|tokens)$/, 'rows'],
  [/^\/autodiscover\//, 'nothing'],
  // Users must be able to sign in to free up space; the rest writes only a few bytes.
  [/^\/api\/auth\//, 'nothing'],
  [/^\/api\/users\/:id\/(suspend|resume|quotas|role|permissions|2fa\/reset)$/, 'nothing'],
  [/^\/api\/projects\/:id\/(container\/:action|deployments\/:deploymentId\/cancel)$/, 'nothing'],
  [/^\/api\/mail\/(queue\/.*|dkim\/:domainId\/keys\/:keyId\/retire)$/, 'nothing'],
  [/^\/api\/sftp\/(enable|remove-ssh-key)$/, 'nothing'],
  [
    /^\/api\/(databases\/:id\/test|domains\/:id\/dns-mode\/check|domains\/:id\/dns\/:recordId\/propagation|system\/dns-info\/verify)$/,
    'nothing'
  ],
  // Freeing space, and what is kept.
  [/^\/api\/system\/(disk\/.*|settings)$/, 'nothing'],
  [/^\/api\/files\/:id\/(chmod|rename|move)$/, 'nothing'],
  [/^\/api\/files\//, 'files'],
  [
    /^\/api\/projects\/:id\/(build|deploy|git\/connect|wordpress\/import|deployments\/:deploymentId\/rollback)$/,
    'files'
  ],
  [/^\/api\/(databases|git\/inspect)$/, 'files']
]

const readingMethods = ['GET', 'HEAD', 'OPTIONS']

/** What a route writes on behalf of an account. `nothing` includes deletions, which free space. */
export function writesOf(method: string, url: string): Writes | 'nothing' {
  if (readingMethods.includes(method) || method === 'DELETE') return 'nothing'
  return byRoute.find(([pattern]) => pattern.test(url))?.[1] ?? 'rows'
}
