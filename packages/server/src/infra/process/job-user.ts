import { chmod, mkdir, readFile, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ReleaseName, takeName } from './name-lock.ts'
import { type SystemUser, withoutPrivileges, workPlace } from './privileges.ts'
import { ProcessError, type Run } from './process.ts'

/** Accounts of the machine, made as they are needed, each lent to one directory at a time. As many as ever work at once. */
const maxUsers = 64
const accountName = (number: number) => `panel-job-${number}`

const pollMs = 50
// A fetch of another panel's process on the same directory.
const waitLimitMs = 15 * 60_000
const commandLimitMs = 30_000
const giveLimitMs = 10 * 60_000
const attempts = 5

interface JobUser {
  /** Undefined where the panel is not root: what it starts runs as itself. */
  user: SystemUser | undefined
  release(): Promise<void>
}

interface Loan {
  borrowers: number
  lent: Promise<{ user: SystemUser; end(): Promise<void> }>
}

const loans = new Map<string, Loan>()

/**
 * Lends a user that nothing else on the machine runs as, and gives it the directory. Programs that parse strangers' bytes run as this
 * user with the directory as their own, so that one that is taken over has this directory and nothing else (`as` with `cwd`): folders above
 * it stay private, also to a later job of the same user. Calls for one directory share a user; once the last
 * gives it back, all that still runs as this user is ended.
 */
async function borrowJobUser(directory: string, run: Run): Promise<JobUser> {
  if (process.getuid?.() !== 0) return { user: undefined, release: async () => {} }
  const present = loans.get(directory)
  const loan = present ?? { borrowers: 0, lent: lend(directory, run) }
  if (!present) loans.set(directory, loan)
  loan.borrowers++
  const release = async () => {
    if (--loan.borrowers > 0) return
    if (loans.get(directory) === loan) loans.delete(directory)
    await (await loan.lent).end()
  }
  try {
    return { user: (await loan.lent).user, release }
  } catch (error) {
    loan.borrowers--
    if (loans.get(directory) === loan) loans.delete(directory)
    throw error
  }
}

export async function withJobUser<T>(
  directory: string,
  run: Run,
  work: (user: SystemUser | undefined) => Promise<T>
): Promise<T> {
  const { user, release } = await borrowJobUser(directory, run)
  try {
    return await work(user)
  } finally {
    await release()
  }
}

async function lend(directory: string, run: Run): Promise<{ user: SystemUser; end(): Promise<void> }> {
  const deadline = Date.now() + waitLimitMs
  const releaseDirectory = await waitFor(() => takeName(`the directory ${directory}`), deadline, directory)
  let releaseUser: ReleaseName | undefined
  const end = async () => {
    await releaseUser?.()
    await releaseDirectory()
  }
  try {
    const { user, release } = await waitFor(() => takeUser(directory, run), deadline, directory)
    releaseUser = release
    // What a killed panel has left.
    await endAllOf(user, run)
    await giveDirectory(directory, user, run)
    await mkdir(workPlace, { recursive: true })
    return {
      user,
      // What cannot be ended now is ended before the user is lent again.
      end: () =>
        endAllOf(user, run)
          .catch(() => {})
          .then(end)
    }
  } catch (error) {
    await end()
    throw error
  }
}

/** The user that the directory has, if nobody else is lent it: then there is nothing to hand over. */
async function takeUser(directory: string, run: Run): Promise<{ user: SystemUser; release: ReleaseName } | undefined> {
  const owner = (await stat(directory)).uid
  const accounts = await readAccounts()
  const numbers = Array.from({ length: maxUsers }, (_, index) => index + 1)
  const before = numbers.filter((number) => accounts.get(accountName(number))?.uid === owner)
  for (const number of [...before, ...numbers]) {
    const release = await takeName(accountName(number))
    if (!release) continue
    try {
      return { user: accounts.get(accountName(number)) ?? (await makeAccount(accountName(number), run)), release }
    } catch (error) {
      await release()
      throw error
    }
  }
  return undefined
}

async function readAccounts(): Promise<Map<string, SystemUser>> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  return new Map(lines.map(([name = '', , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]))
}

/** An account of the machine, since ssh does not run as a number without a name. */
async function makeAccount(name: string, run: Run): Promise<SystemUser> {
  const options = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent']
  for (let attempt = 1; ; attempt++) {
    const failure: unknown = await run(['useradd', ...options, '--shell', '/usr/sbin/nologin', '--', name], {
      timeoutMs: commandLimitMs
    }).catch((error: unknown) => error)
    const made = (await readAccounts()).get(name)
    if (made && made.uid > 0 && made.gid > 0) return made
    if (attempt === attempts) throw new Error(`The system user ${name} cannot be made`, { cause: failure })
    // Another program has the accounts' files.
    await sleep(attempt * 500)
  }
}

/** kill(2) by the user itself reaches every process of the user, at one moment, and no other. */
async function endAllOf(user: SystemUser, run: Run): Promise<void> {
  try {
    await run(withoutPrivileges(user, ['kill', '-KILL', '--', '-1']), { timeoutMs: commandLimitMs })
  } catch (error) {
    // There was none.
    if (!(error instanceof ProcessError) || error.exitCode !== 1) throw error
  }
}

/** chown comes to the directory itself last: what has its owner has been handed over whole. */
export async function giveDirectory(directory: string, { uid, gid }: SystemUser, run: Run): Promise<void> {
  if ((await stat(directory)).uid === uid) return
  await run(['chown', '-R', '--no-dereference', `${uid}:${gid}`, '--', directory], { timeoutMs: giveLimitMs })
  await chmod(directory, 0o700)
}

async function waitFor<T>(take: () => Promise<T | undefined>, deadline: number, directory: string): Promise<T> {
  for (;;) {
    const taken = await take()
    if (taken !== undefined) return taken
    if (Date.now() > deadline) throw new Error(`No user could be had for the work in ${directory}`)
    await sleep(pollMs)
  }
}
