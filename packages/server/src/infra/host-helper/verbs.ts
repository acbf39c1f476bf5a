import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { ProjectName } from '@panel/contract/projects'
import { maxSshKeys } from '@panel/contract/sftp'
import { VolumeName } from '@panel/contract/volumes'
import { version } from '../../process/version.ts'
import { isAccountName } from './account-name.ts'
import {
  createAccount,
  listAccounts,
  lockAccount,
  removeAccount,
  setKeys,
  setPassword,
  unlockAccount
} from './accounts.ts'
import type { HostContext } from './host-context.ts'
import type { HostHelper } from './host-helper.ts'
import { boundSessions } from './sftp-sessions.ts'
import { removeProject, replaceProject, syncProjects } from './project-directories.ts'

// The range of the store's sequence, far from system accounts.
const Uid = z.int().min(20_000).max(2_000_000_000)
const Username = z.string().refine(isAccountName)
const Password = z.string().regex(/^[A-Za-z0-9_-]{16,128}$/)
const PublicKey = z
  .string()
  .regex(/^[a-z0-9@.-]+ [A-Za-z0-9+/]+={0,2}( [^\p{C}]+)?$/u)
  .max(16_384)
const Path = z
  .string()
  .max(4096)
  .refine((path) => isAbsolute(path) && !path.includes('\0'))
/** Of a project, or of a volume: `project.volume`. */
const DirectoryName = z.string().refine((name) => {
  const [project, volume, ...more] = name.split('.')
  const isVolume = volume === undefined || VolumeName.safeParse(volume).success
  return ProjectName.safeParse(project).success && isVolume && more.length === 0
})
const Projects = z
  .array(z.strictObject({ id: Id, name: DirectoryName }))
  .max(100_000)
  .readonly()
  .refine(
    (all) => [all.map(({ id }) => id), all.map(({ name }) => name)].every((s) => new Set(s).size === all.length),
    {
      error: 'must not contain duplicates'
    }
  )

interface Verb<Args extends unknown[], Result> {
  args: z.ZodType<Args>
  run: (context: HostContext, ...args: Args) => Promise<Result>
}

const verb = <Args extends unknown[], Result>(
  args: z.ZodType<Args>,
  run: (context: HostContext, ...args: Args) => Promise<Result>
): Verb<Args, Result> => ({ args, run })

/** Everything that runs as root for the panel, with the exact arguments allowed. */
export const verbs = {
  readVersion: verb(z.tuple([]), async () => version),
  syncProjects: verb(z.tuple([Uid, Projects]), syncProjects),
  removeProject: verb(z.tuple([Uid, Id]), removeProject),
  replaceProject: verb(z.tuple([Uid, Id, Path, Path]), replaceProject),
  createAccount: verb(z.tuple([Username, Uid]), createAccount),
  setPassword: verb(z.tuple([Username, Password]), setPassword),
  setKeys: verb(z.tuple([Username, z.array(PublicKey).max(maxSshKeys).readonly()]), setKeys),
  lockAccount: verb(z.tuple([Username]), lockAccount),
  unlockAccount: verb(z.tuple([Username]), unlockAccount),
  removeAccount: verb(z.tuple([Username]), removeAccount),
  listAccounts: verb(z.tuple([]), listAccounts),
  boundSessions: verb(z.tuple([z.int().min(1).max(10_000)]), boundSessions)
} satisfies { [Name in keyof HostHelper]: Verb<Parameters<HostHelper[Name]>, Awaited<ReturnType<HostHelper[Name]>>> }

export type VerbName = keyof typeof verbs
export const isVerb = (name: unknown): name is VerbName => typeof name === 'string' && Object.hasOwn(verbs, name)

export async function runVerb(context: HostContext, name: VerbName, args: unknown): Promise<unknown> {
  const { args: schema, run: work } = verbs[name] as Verb<unknown[], unknown>
  return work(context, ...schema.parse(args))
}
