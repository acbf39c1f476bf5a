import { chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfExists } from '../disk/read-if-exists.ts'
import type { SystemUser } from '../process/privileges.ts'
import { withJobUser } from '../process/job-user.ts'
import type { Run } from '../process/process.ts'
import type { GitSettings } from './git-args.ts'

/** Directory and user of git: repository content is untrusted and may exploit git. */
export interface GitPlace {
  cwd: string
  as: SystemUser | undefined
}

export const inRepository = <T>(directory: string, run: Run, work: (place: GitPlace) => Promise<T>): Promise<T> =>
  withJobUser(directory, run, (user) => work({ cwd: directory, as: user }))

type Credentials = GitSettings & { privateKeyPath: string | undefined }

/** In the repository, because its user can read nothing else. A killed fetch may leave it behind. */
export const credentialsDirectory = 'lent-for-fetch'

/** Lends known_hosts, CA and key for one fetch: copies, unless git runs as the panel's user. */
export async function withCredentials<T>(
  { cwd, as }: GitPlace,
  credentials: Credentials,
  work: (lent: Credentials) => Promise<T>
): Promise<T> {
  if (!as) return work(credentials)
  const directory = join(cwd, credentialsDirectory)
  const lend = async (name: string, path: string | undefined) => {
    if (path === undefined) return undefined
    const content = await readIfExists(path)
    if (content !== undefined) {
      await writeFile(join(directory, name), content, { mode: 0o600, flag: 'wx' })
      await chown(join(directory, name), as.uid, as.gid)
    }
    return `./${credentialsDirectory}/${name}`
  }
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { mode: 0o711 })
  try {
    const caFile = await lend('authorities.pem', credentials.caFile)
    return await work({
      knownHostsPath: (await lend('known_hosts', credentials.knownHostsPath))!,
      privateKeyPath: await lend('key', credentials.privateKeyPath),
      ...(caFile === undefined ? {} : { caFile })
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
