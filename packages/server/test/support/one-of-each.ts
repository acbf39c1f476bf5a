import { addManagedDomain } from './domains.ts'
import { type Client, password, type TestPanel } from './panel.ts'

/** One of each resource of an account, so that every API path resolves. */
export interface OneOfEach {
  ids: Readonly<Record<string, string>>
  address(path: string): string
}

/** Requires DNS_NAMESERVERS and PUBLIC_IP. */
export async function makeOneOfEach(panel: TestPanel, ann: Client): Promise<OneOfEach> {
  const idOf = async (url: string, body: object) => (await ann.request('POST', url, body)).json<{ id: string }>().id
  const projects = (await ann.createProject()).id
  const domains = (await addManagedDomain(ann, 'words.example.com')).id
  const address = { domainId: domains, localPart: 'words' }
  const ids: Readonly<Record<string, string>> = {
    projects,
    files: projects,
    domains,
    databases: await idOf('/api/databases', { name: 'words', type: 'POSTGRESQL' }),
    mailboxes: await idOf('/api/mailboxes', { ...address, password }),
    users: (await panel.createUser(ann)).user.id
  }
  const recordId = await idOf(`/api/domains/${domains}/dns`, { type: 'A', name: 'www2', value: '192.0.2.3' })
  const aliasId = await idOf('/api/mail/aliases', { ...address, targets: ['ann@example.net'] })
  return {
    ids,
    address: (path) =>
      path
        .replace('{action}', 'start')
        .replace('{recordId}', recordId)
        .replace('/aliases/{id}', `/aliases/${aliasId}`)
        .replace('{domainId}', domains)
        .replace(/^\/api\/(\w+)\/\{id\}/, (_all, noun: string) => `/api/${noun}/${ids[noun] ?? 'none'}`)
        .replaceAll(/\{\w+\}/g, 'none')
  }
}
