import { execFile } from 'node:child_process'
import { chown, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Database, DatabaseList } from '@panel/contract/databases'
import { expect } from 'vitest'
import { docker } from '../support/engine.ts'
import type { Client } from '../support/panel.ts'
import type { World } from '../support/shared-world.ts'
import { type Browser, openBrowser } from '../support/wordpress.ts'

export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)

export interface WordpressSite {
  id: string
  name: string
  files: string
  browser: Browser
}

export const wordpressSites = ({ panel, projects }: World, owner: Client) => ({
  async create(): Promise<WordpressSite> {
    const { id, name } = await owner.createProject({ type: 'WORDPRESS' })
    const browser = openBrowser({ port: panel.proxyPort, hostname: `${name}.apps.localhost` })
    return { id, name, files: join(projects, 'by-id', id), browser }
  },
  async deploy(site: Pick<WordpressSite, 'id'>): Promise<void> {
    const deployment = await owner.build(site.id)
    expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
  },
  databasesOf: async (site: Pick<WordpressSite, 'id'>): Promise<Database[]> =>
    (await owner.call<DatabaseList>('GET', `/databases?projectId=${site.id}`)).databases
})

export async function putAsOwner(site: WordpressSite, path: string, text: string): Promise<void> {
  const { uid, gid } = await stat(site.files)
  const target = join(site.files, path)
  const made = await mkdir(join(target, '..'), { recursive: true })
  // The directories above are created one by one; the highest new one is `made`.
  for (let folder = join(target, '..'); made !== undefined && folder.length >= made.length; folder = join(folder, '..'))
    await chown(folder, uid, gid)
  await writeFile(target, text)
  await chown(target, uid, gid)
}

/** A small disk of its own at a path of the container, until it ends or the function that this resolves to is called. */
export async function mountSmallDisk(containerId: string, path: string, size: string): Promise<() => Promise<void>> {
  const pid = await docker('inspect', '--format', '{{.State.Pid}}', containerId)
  const inContainer = (...argv: string[]) =>
    promisify(execFile)('nsenter', [`--mount=/proc/${pid}/ns/mnt`, '--', ...argv])
  await inContainer('mkdir', '-p', path)
  await inContainer('mount', '-t', 'tmpfs', '-o', `size=${size},mode=777`, 'small', path)
  return async () => void (await inContainer('umount', path))
}
