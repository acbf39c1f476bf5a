import { type Client, type Schema, unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { CommandError, UsageError } from '../context.ts'
import { writeLink } from '../link.ts'

type Type = Schema<'Project'>['type']
const types: readonly Type[] = ['NODEJS', 'PYTHON', 'PHP', 'STATIC', 'WORDPRESS', 'DOCKERFILE', 'IMAGE']

export const create: Command = {
  name: 'create',
  about: 'create a project and link this folder to it',
  args: '<name>',
  options: [
    ['--type <type>', `${types.join(', ').toLowerCase()}; default: detected in the repository`],
    ['--repo <url>', 'git repository to deploy from'],
    ['--image <reference>', 'image of a registry to run, such as ghcr.io/org/app:1.2'],
    ['--files', 'site that is served from the files of the project, without a build; static unless --type php'],
    ['--branch <branch>', 'branch of the repository; default: its default branch'],
    ['--no-link', 'do not link this folder']
  ],
  example: 'create shop --repo https://github.com/acme/shop.git',
  async run({ client, args, options, cwd, url, print, next }) {
    const { repo, branch, image } = options as { repo?: string; branch?: string; image?: string }
    const isOfFiles = options.files === true
    if ([repo !== undefined, image !== undefined, isOfFiles].filter(Boolean).length > 1)
      throw new UsageError('Specify only one of --repo, --image and --files')
    const inspected = repo === undefined ? undefined : await inspect(client, repo, branch)
    const type =
      typeOf(options.type) ??
      (image === undefined ? undefined : 'IMAGE') ??
      (isOfFiles ? 'STATIC' : undefined) ??
      inspected?.detection?.type
    if (type === undefined) throw new UsageError(`Specify --type: ${types.join(', ').toLowerCase()}`)
    const project = await unwrap(
      client.POST('/api/projects', {
        body: { name: args[0]!, type, ...(image !== undefined && { image }), ...(isOfFiles && { source: 'FILES' }) }
      })
    )
    if (inspected) {
      const body = { gitUrl: inspected.gitUrl, branch: branch ?? inspected.branch ?? 'main', isPrivate: false }
      await unwrap(client.POST('/api/projects/{id}/git/connect', { params: { path: { id: project.id } }, body }))
    }
    if (options.link !== false) await writeLink(cwd, { url, projectId: project.id, name: project.name })
    print(project, `Created ${project.name} (${project.type})\n`)
    const named = options.link === false ? ` ${project.name}` : ''
    next(inspected || type === 'WORDPRESS' || type === 'IMAGE' ? `deploy${named}` : `deploy${named} --from .`)
  }
}

function typeOf(wanted: string | boolean | undefined): Type | undefined {
  if (typeof wanted !== 'string') return undefined
  const found = types.find((type) => type.toLowerCase() === wanted.toLowerCase())
  if (!found) throw new UsageError(`--type must be one of ${types.join(', ').toLowerCase()}`)
  return found
}

async function inspect(client: Client, gitUrl: string, branch: string | undefined): Promise<Schema<'GitInspection'>> {
  const body = { gitUrl, ...(branch === undefined ? {} : { branch }) }
  const inspected = await unwrap(client.POST('/api/git/inspect', { body }))
  if (inspected.problem !== null) throw new CommandError(inspected.problem)
  return inspected
}
