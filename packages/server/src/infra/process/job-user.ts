import { chmod, mkdir, readFile, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ReleaseName, takeName } from './name-lock.ts'
import { type SystemUser, withoutPrivileges, workPlace } from './privileges.ts'
import { ProcessError, type Run } from './process.ts'

/** System accounts, created on demand, each leased to one directory at a time. The number limits concurrency. */
const maxUsers = 64
const accountName = (number: number) => `panel-job-${number}`
/**
 * Above the uids of accounts (db/schema/users.ts) and those that images use: `endAllOf` also reaches the processes of its uid in
 * containers, where Debian's packages and `useradd --system` count down from 999 as on the host.
 */
const firstUid = 2_000_000_001

const pollMs = 50
// Another panel process may be fetching into the same directory.
const waitLimitMs = 15 * 60_000
const commandLimitMs = 30_000
const giveLimitMs = 10 * 60_000
const attempts = 5

interface JobUser {
  /** Undefined if the panel is not root: programs then run as the panel's user. */
  user: SystemUser | undefined
  release(): Promise<void>
}

interface Loan {
  borrowers: number
  lent: Promise<{ user: SystemUser; end(): Promise<void> }>
}

const loans = new Map<string, Loan>()

// Leases a system user that nothing else runs as and gives it the directory. Programs that parse untrusted data run as
// this user with `cwd` as their directory, so that a compromised one reaches nothing else: parent directories stay
// private, also from later jobs of the same user. Calls for one directory share the user; after the last release its
// remaining processes are killed.
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
    await endAllOf(user, run)
    await giveDirectory(directory, user, run)
    await mkdir(workPlace, { recursive: true })
    return {
      user,
      // If this fails, they are killed before the next lease.
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

/** Prefers the directory's current owner if it is free, which saves the chown. */
async function takeUser(directory: string, run: Run): Promise<{ user: SystemUser; release: ReleaseName } | undefined> {
  const owner = (await stat(directory)).uid
  const accounts = await readAccounts()
  const numbers = Array.from({ length: maxUsers }, (_, index) => index + 1)
  const before = numbers.filter((number) => accounts.get(accountName(number))?.uid === owner)
  for (const number of [...before, ...numbers]) {
    const release = await takeName(accountName(number))
    if (!release) continue
    try {
      return { user: usable(accounts.get(accountName(number))) ?? (await makeAccount(number, run)), release }
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

const usable = (user: SystemUser | undefined) => (user && user.uid >= firstUid && user.gid > 0 ? user : undefined)

/** A named account, because ssh does not run under a uid without a name. */
async function makeAccount(number: number, run: Run): Promise<SystemUser> {
  const [name, uid] = [accountName(number), ['--uid', String(firstUid + number - 1)]]
  const options = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent']
  const make: [string, ...string[]] = (await readAccounts()).has(name)
    ? ['usermod', ...uid, '--', name]
    : ['useradd', ...options, ...uid, '--shell', '/usr/sbin/nologin', '--', name]
  for (let attempt = 1; ; attempt++) {
    const failure: unknown = await run(make, { timeoutMs: commandLimitMs }).catch((error: unknown) => error)
    const made = usable((await readAccounts()).get(name))
    if (made) return made
    if (attempt === attempts) throw new Error(`The system user ${name} could not be created`, { cause: failure })
    // Another program locks the account files.
    await sleep(attempt * 500)
  }
}

/** kill(2) with pid -1 as the user itself reaches all of its processes at once, those in containers too, and no others. */
async function endAllOf(user: SystemUser, run: Run): Promise<void> {
  try {
    await run(withoutPrivileges(user, ['kill', '-KILL', '--', '-1']), { timeoutMs: commandLimitMs })
  } catch (error) {
    if (!(error instanceof ProcessError) || error.exitCode !== 1) throw error
  }
}

/** chown changes the directory itself last, so its owner shows that the handover is complete. */
export async function giveDirectory(directory: string, { uid, gid }: SystemUser, run: Run): Promise<void> {
  if ((await stat(directory)).uid === uid) return
  await run(['chown', '-R', '--no-dereference', `${uid}:${gid}`, '--', directory], { timeoutMs: giveLimitMs })
  await chmod(directory, 0o700)
}

async function waitFor<T>(take: () => Promise<T | undefined>, deadline: number, directory: string): Promise<T> {
  for (;;) {
    const taken = await take()
    if (taken !== undefined) return taken
    if (Date.now() > deadline) throw new Error(`No free system user for the work in ${directory}`)
    await sleep(pollMs)
  }
}
