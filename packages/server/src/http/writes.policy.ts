import type { Writes } from '../process/free-disk-space.ts'

/** Where what a request writes does not follow from its method. The first that fits counts. */
const byRoute: readonly (readonly [RegExp, Writes | 'nothing'])[] = [
  [/^\/api\/auth\/(register|tokens)$/, 'rows'],
  // A question, although it comes as a POST.
  [/^\/autodiscover\//, 'nothing'],
  // Who cannot sign in makes no room; the rest of an account's own care is a few bytes too.
  [/^\/api\/auth\//, 'nothing'],
  // What stops something, or is an administrator's to do about a full disk.
  [/^\/api\/users\/:id\/(suspend|resume|quotas|role|permissions|2fa\/reset)$/, 'nothing'],
  [/^\/api\/projects\/:id\/(container\/:action|deployments\/:deploymentId\/cancel)$/, 'nothing'],
  [/^\/api\/mail\/(queue\/.*|dkim\/:domainId\/keys\/:keyId\/retire)$/, 'nothing'],
  [/^\/api\/sftp\/(enable|remove-ssh-key)$/, 'nothing'],
  [
    /^\/api\/(databases\/:id\/test|domains\/:id\/dns-mode\/check|domains\/:id\/dns\/:recordId\/propagation|system\/dns-info\/verify)$/,
    'nothing'
  ],
  [/^\/api\/files\/:id\/(chmod|rename|move)$/, 'nothing'],
  [/^\/api\/files\//, 'files'],
  [
    /^\/api\/projects\/:id\/(build|deploy|git\/connect|wordpress\/import|deployments\/:deploymentId\/rollback)$/,
    'files'
  ],
  [/^\/api\/(databases|git\/inspect)$/, 'files']
]

const readingMethods = ['GET', 'HEAD', 'OPTIONS']

/** What a route writes of an account's: `nothing` also of one that takes away, which makes room. */
export function writesOf(method: string, url: string): Writes | 'nothing' {
  if (readingMethods.includes(method) || method === 'DELETE') return 'nothing'
  return byRoute.find(([pattern]) => pattern.test(url))?.[1] ?? 'rows'
}
