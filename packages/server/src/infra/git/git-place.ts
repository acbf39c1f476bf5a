import { chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfExists } from '../disk/read-if-exists.ts'
import type { SystemUser } from '../process/privileges.ts'
import { withJobUser } from '../process/job-user.ts'
import type { Run } from '../process/process.ts'
import type { GitSettings } from './git-args.ts'

/** Where git runs and as whom: what a repository holds is a stranger's, and git may be made to do what it says. */
export interface GitPlace {
  cwd: string
  as: SystemUser | undefined
}

export const inRepository = <T>(directory: string, run: Run, work: (place: GitPlace) => Promise<T>): Promise<T> =>
  withJobUser(directory, run, (user) => work({ cwd: directory, as: user }))

type Credentials = GitSettings & { privateKeyPath: string | undefined }

/** In the repository, since its user may read nothing else. Also what a killed fetch leaves. */
export const lentDirectory = 'lent-for-fetch'

/** Copies of what git and ssh read besides the repository, for the time of one fetch; where git runs as the panel, the files themselves. */
export async function withCredentials<T>(
  { cwd, as }: GitPlace,
  credentials: Credentials,
  work: (lent: Credentials) => Promise<T>
): Promise<T> {
  if (!as) return work(credentials)
  const directory = join(cwd, lentDirectory)
  const lend = async (name: string, path: string | undefined) => {
    if (path === undefined) return undefined
    const content = await readIfExists(path)
    if (content !== undefined) {
      await writeFile(join(directory, name), content, { mode: 0o600, flag: 'wx' })
      await chown(join(directory, name), as.uid, as.gid)
    }
    // Of one that is missing ssh says so.
    return `./${lentDirectory}/${name}`
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
