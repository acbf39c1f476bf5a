import { randomBytes } from 'node:crypto'
import { execFile } from 'node:child_process'
import { access, chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { extract } from 'tar-stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fetchArgv, gitEnv } from '../../packages/server/src/infra/git/git-args.ts'
import { fetchProblem } from '../../packages/server/src/infra/git/git-problem.ts'
import { withJobUser } from '../../packages/server/src/infra/process/job-user.ts'
import { ProcessError } from '../../packages/server/src/infra/process/process.ts'
import { processesIn } from '../../packages/server/src/infra/process/processes-in.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { createGit, type GitCliSettings } from '../../packages/server/src/infra/git/git-cli.ts'
import { credentialsDirectory } from '../../packages/server/src/infra/git/git-place.ts'
import { renderKnownHosts } from '../../packages/server/src/infra/git/host-keys.ts'
import { createDeployKey, writePrivateKey } from '../../packages/server/src/infra/git/ssh-key.ts'
import { describeGit } from '../../packages/server/test/contracts/git.contract.ts'
import { hostileBranchNames } from '../../packages/server/test/fixtures/branch-names.fixture.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { type GitSshServer, startGitSshServer } from '../support/git-ssh-server.ts'
import { noCapability, statusOf } from '../support/processes.ts'

const execute = promisify(execFile)
const noSignal = new AbortController().signal

let http: GitHttpServer
let ssh: GitSshServer
/** Its name contains characters that a shell or ssh would interpret. */
let scratch: string
let knownHostsPath: string
let counter = 0

beforeAll(async () => {
  scratch = join(await mkdtemp(join(tmpdir(), 'panel-git-test-')), `it's 100%d; (x)`)
  await mkdir(scratch, { recursive: true })
  http = await startGitHttpServer()
  ssh = await startGitSshServer(http.root)
  knownHostsPath = join(scratch, 'known_hosts')
  await writeFile(knownHostsPath, renderKnownHosts([ssh.knownHostsLine]))
})

afterAll(async () => {
  await ssh?.stop()
  await http?.stop()
  await rm(join(scratch, '..'), { recursive: true, force: true })
})

let directory: string
beforeEach(() => {
  directory = join(scratch, `project-${++counter}`, 'repository.git')
})

const git = (settings: Partial<GitCliSettings> = {}) =>
  createGit({ maxRepositoryBytes: 64 * 2 ** 20, timeoutMs: 60_000, knownHostsPath, ...settings })
const over = (url: string, privateKeyPath?: string) => ({ url, privateKeyPath })
const unreachable = (message: RegExp) =>
  expect.objectContaining({
    kind: 'repository-unavailable',
    message: expect.stringMatching(message) as string
  }) as Error
const newName = () => `acme/app-${++counter}`

async function deployKey(): Promise<{ path: string; publicKey: string }> {
  const key = createDeployKey()
  const path = join(scratch, `key-${++counter}`)
  await writePrivateKey(path, key.privateKey)
  return { path, publicKey: key.publicKey }
}

async function namesIn(
  archive: NodeJS.ReadableStream
): Promise<Record<string, { type: string | null | undefined; text: string }>> {
  const found: Record<string, { type: string | null | undefined; text: string }> = {}
  const reader = archive.pipe(extract())
  archive.once('error', (error) => reader.destroy(error as Error))
  for await (const entry of reader)
    found[entry.header.name] = { type: entry.header.type, text: (await buffer(entry)).toString() }
  return found
}

async function processesWith(text: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(text))
}

const nothingRuns = (text: string) => expect.poll(() => processesWith(text), { timeout: 20_000 }).toEqual([])
const nothingRunsIn = (place: string) =>
  expect
    .poll(
      () =>
        access(place).then(
          () => processesIn(place),
          () => []
        ),
      { timeout: 20_000 }
    )
    .toEqual([])

describeGit('the program', async () => {
  const server = await startGitHttpServer()
  await server.createRepository('acme/app', { 'index.html': 'to be replaced' })
  await server.commit('acme/app', { 'index.html': 'hello' }, 'first commit')
  const strayCommit = await server.commit('acme/app', { 'index.html': 'of a fork' }, 'stray', 'fork')
  await server.git('acme/app', 'update-ref', '-d', 'refs/heads/fork')
  const port = await freePort()
  return {
    git: git(),
    remote: over(server.url('acme/app')),
    strayCommit,
    unreachable: over(`http://127.0.0.1:${port}/acme/app`),
    close: () => server.stop()
  }
})

describe('a branch', () => {
  test('is fetched over HTTP with head and message', async () => {
    const name = newName()
    await http.createRepository(name, { 'index.js': 'one' })
    const hash = await http.commit(name, { 'index.js': 'two' }, 'Second\n\nwith a \u0007body')
    const lines: string[] = []
    const commit = await git().fetchBranch(directory, over(http.url(name)), 'main', {
      onProgress: (line) => lines.push(line)
    })
    expect(commit).toEqual({ hash, message: 'Second\n\nwith a body' })
    expect(await git().readFile(directory, hash, 'index.js', 100)).toBe('two')
    expect(lines.join('\n')).not.toContain(http.baseUrl)
  })

  test('is fetched over SSH with a deploy key', async () => {
    const name = newName()
    const hash = await http.createRepository(name, { 'index.js': 'one' })
    const key = await deployKey()
    await ssh.authorize(key.publicKey)
    expect(await git().fetchBranch(directory, over(ssh.url(name), key.path), 'main', {})).toEqual({
      hash,
      message: 'First commit'
    })
  })

  test('is followed across force pushes, branch changes and colliding ref names', async () => {
    const name = newName()
    await http.createRepository(name, { a: '1' })
    const first = await http.commit(name, { a: '2' }, 'release', 'release')
    const other = await http.commit(name, { a: '3' }, 'nested', 'topic/x')
    const remote = over(http.url(name))
    expect((await git().fetchBranch(directory, remote, 'release', {})).hash).toBe(first)
    expect((await git().fetchBranch(directory, remote, 'topic/x', {})).hash).toBe(other)
    await http.git(name, 'update-ref', '-d', 'refs/heads/topic/x')
    const topic = await http.commit(name, { a: '4' }, 'flat', 'topic')
    expect((await git().fetchBranch(directory, remote, 'topic', {})).hash).toBe(topic)
    await http.git(name, 'update-ref', 'refs/heads/topic', first)
    expect((await git().fetchBranch(directory, remote, 'topic', {})).hash).toBe(first)
  })

  test('in a repository of SHA-256 objects', async () => {
    const path = join(http.root, 'acme', 'sha256.git')
    await execute('git', ['init', '--bare', '--quiet', '--object-format=sha256', '--initial-branch=main', path])
    const hash = await http.commit('acme/sha256', { a: '1' }, 'long')
    expect(hash).toHaveLength(64)
    const remote = over(http.url('acme/sha256'))
    expect((await git().fetchBranch(directory, remote, 'main', {})).hash).toBe(hash)
    expect((await git().fetchBranch(directory, remote, 'main', {})).hash).toBe(hash)
  })

  test.each([...hostileBranchNames, 'main:refs/heads/x', '*', 'main^{tree}', '', '+main'])(
    'named %j never reaches git',
    async (branch) => {
      await expect(async () =>
        git().fetchBranch(directory, over(http.url('acme/none')), branch, {})
      ).rejects.toMatchObject({
        kind: 'revision-invalid'
      })
      await expect(access(directory)).rejects.toMatchObject({ code: 'ENOENT' })
    }
  )
})

describe('inspection of a remote', () => {
  test('lists branches over HTTP and SSH', async () => {
    const name = newName()
    await http.createRepository(name, { a: '1' })
    await http.commit(name, { a: '2' }, 'next', 'feature/next')
    await http.git(name, 'update-ref', 'refs/pull/1/head', 'refs/heads/main')
    const listed = { names: ['feature/next', 'main'], head: 'main' }
    expect(await git().listBranches(directory, over(http.url(name)), {})).toEqual(listed)
    expect(await git().listBranches(directory, over(http.url(name, 'version0')), {})).toEqual(listed)
    const key = await deployKey()
    await ssh.authorize(key.publicKey)
    expect(await git().listBranches(directory, over(ssh.url(name), key.path), {})).toEqual(listed)
  })

  test('tells a private remote or wrong key from one that is down', async () => {
    const listed = (url: string, key?: string) => git({ timeoutMs: 5_000 }).listBranches(directory, over(url, key), {})
    const isPrivate = expect.objectContaining({ kind: 'repository-private' }) as Error
    await expect(listed(http.url('acme/app', 'private'))).rejects.toEqual(isPrivate)
    const stranger = await deployKey()
    await ssh.authorize()
    await expect(listed(ssh.url('acme/app'), stranger.path)).rejects.toEqual(isPrivate)
    await expect(listed('http://127.0.0.1:9/a/b.git')).rejects.toEqual(unreachable(/cannot be reached/))
    const slow = git({ listTimeoutMs: 1_500 }).listBranches(directory, over(http.url('acme/app', 'hang')), {})
    await expect(slow).rejects.toEqual(unreachable(/longer than .*1\.5 s/))
    await expect(listed(http.url('acme/app', 'redirect'))).rejects.toEqual(unreachable(/redirects/))
  })

  test('of SHA-256 objects too', async () => {
    const name = newName()
    const path = join(http.root, `${name}.git`)
    await execute('git', ['init', '--bare', '--quiet', '--object-format=sha256', '--initial-branch=main', path])
    await http.commit(name, { a: '1' }, 'long')
    expect(await git().listBranches(directory, over(http.url(name)), {})).toEqual({ names: ['main'], head: 'main' })
  })

  test('lists commits between two, without file contents if the server can', async () => {
    const name = newName()
    const from = await http.createRepository(name, { a: '1' })
    await http.commit(name, { a: '2' }, 'Second \u202etxt\n\nbody')
    const to = await http.commit(name, { a: '3' }, 'x'.repeat(5_000))
    await http.commit(name, { a: '4' }, 'not deployed yet')
    const range = (repository: string, ends = { from, to }) =>
      git().listCommits(repository, over(http.url(name)), { branch: 'main', ...ends }, {})
    const expected = {
      isComplete: true,
      commits: [
        { hash: to, subject: expect.stringMatching(/^x{200,300}\.*$/) as string, author: expect.any(String) as string, at: expect.any(Date) as Date }, // oxfmt-ignore
        expect.objectContaining({ subject: 'Second txt' })
      ]
    }
    expect(await range(directory)).toEqual(expected)
    await http.git(name, 'config', 'uploadpack.allowFilter', 'true')
    expect(await range(`${directory}.other`)).toEqual(expected)
    const gone = 'f'.repeat(40)
    expect(await range(directory, { from: gone, to })).toMatchObject({ isComplete: false, commits: { length: 3 } })
    expect(await range(directory, { from, to: gone })).toEqual({ isComplete: false, commits: [] })
  })
})

describe('error reasons', () => {
  const refused = async (url: string, message: RegExp, branch = 'main', keyPath?: string) => {
    await expect(git().fetchBranch(directory, over(url, keyPath), branch, {})).rejects.toEqual(unreachable(message))
    await nothingRunsIn(directory)
  }

  test('a missing branch', async () => {
    const name = newName()
    await http.createRepository(name, { a: '1' })
    await refused(http.url(name), /no branch "gone"/, 'gone')
  })
  test('a missing repository', () => refused(http.url('acme/nowhere'), /not found/))
  test('a private one, without a prompt', () =>
    refused(http.url('acme/x', 'private'), /does not exist or is private.*deploy key/))
  test('a redirect, which is not followed', async () => {
    const name = newName()
    await http.createRepository(name, { a: '1' })
    const before = http.requests.length
    await refused(http.url(name, 'redirect'), /redirects to another address/)
    expect(http.requests.slice(before).every((path) => path.startsWith('/redirect/'))).toBe(true)
  })
  test('a closed port', () => refused('http://127.0.0.1:9/a/b.git', /cannot be reached/))
  test('an unresolvable name', () => refused('http://host.invalid/a/b.git', /could not be resolved/))
  test.each([
    ['file:///etc', /Only https, http and ssh/],
    ['ext::sh -c id% >&2', /Only https, http and ssh/],
    ['git://127.0.0.1/a/b', /Only https, http and ssh/],
    ['/etc', /Only https, http and ssh/],
    ['--upload-pack=/bin/id', /strange pathname/],
    ['ssh://-oProxyCommand=id/a/b', /strange hostname/]
  ])('%s is not contacted', (url, message) => refused(url, message))

  test('an unauthorized SSH key, and no key', async () => {
    const name = newName()
    await http.createRepository(name, { a: '1' })
    await ssh.authorize((await deployKey()).publicKey)
    await refused(ssh.url(name), /rejected the SSH key.*deploy key/)
    await refused(ssh.url(name), /rejected the SSH key.*deploy key/, 'main', (await deployKey()).path)
  })

  test('a wrong or unknown host key', async () => {
    const name = newName()
    await http.createRepository(name, { a: '1' })
    const key = await deployKey()
    await ssh.authorize(key.publicKey)
    const other = createDeployKey().publicKey.split(' ').slice(0, 2).join(' ')
    for (const lines of [[`[127.0.0.1]:${ssh.port} ${other}`], []]) {
      const path = join(scratch, `known-${++counter}`)
      await writeFile(path, renderKnownHosts(lines))
      const fetching = git({ knownHostsPath: path }).fetchBranch(directory, over(ssh.url(name), key.path), 'main', {})
      await expect(fetching).rejects.toEqual(unreachable(/host key of the Git server is unknown/))
    }
  })
})

describe('limits', () => {
  const big = () => ({ 'big.bin': randomBytes(3 * 2 ** 20) })

  test.each(['plain', 'slow'] as const)(
    'a repository that is too large is aborted and removed (%s)',
    async (behaviour) => {
      const name = newName()
      await http.createRepository(name, big())
      const fetching = git({ maxRepositoryBytes: 2 ** 20 }).fetchBranch(
        directory,
        over(http.url(name, behaviour)),
        'main',
        {}
      )
      await expect(fetching).rejects.toEqual(unreachable(/larger than .*1 MiB/))
      await expect(access(directory)).rejects.toMatchObject({ code: 'ENOENT' })
    }
  )

  test('a full disk is named, and the next fetch works once there is space', async () => {
    const name = newName()
    const hash = await http.createRepository(name, big())
    const disk = join(scratch, `disk-${++counter}`)
    await mkdir(disk)
    await execute('mount', ['-t', 'tmpfs', '-o', 'size=2m,mode=0755', 'tmpfs', disk])
    try {
      const fetching = () => git().fetchBranch(join(disk, 'repository.git'), over(http.url(name)), 'main', {})
      await expect(fetching()).rejects.toEqual(unreachable(/disk.*full/))
      await execute('mount', ['-o', 'remount,size=32m', disk])
      expect((await fetching()).hash).toBe(hash)
    } finally {
      await execute('umount', [disk])
    }
  })

  test('leftovers of earlier fetches do not count for a small repository', async () => {
    const name = newName()
    await http.createRepository(name, big())
    const small = git({ maxRepositoryBytes: 5 * 2 ** 20 })
    await small.fetchBranch(directory, over(http.url(name)), 'main', {})
    const hash = await http.commit(name, big(), 'another')
    expect((await small.fetchBranch(directory, over(http.url(name)), 'main', {})).hash).toBe(hash)
  })

  test.each(['hang', 'stall'] as const)(
    'a silent server is aborted without leftover processes (%s)',
    async (behaviour) => {
      const name = newName()
      await http.createRepository(name, big())
      const fetching = git({ timeoutMs: 1500 }).fetchBranch(directory, over(http.url(name, behaviour)), 'main', {})
      await expect(fetching).rejects.toEqual(unreachable(/longer than .*1\.5 s/))
      await nothingRunsIn(directory)
      await nothingRuns(http.url(name, behaviour))
    }
  )

  test('a cancelled fetch with stale locks does not block the next', async () => {
    const name = newName()
    const hash = await http.createRepository(name, big())
    const controller = new AbortController()
    const fetching = git().fetchBranch(directory, over(http.url(name, 'stall')), 'main', {
      signal: controller.signal,
      onProgress: (line) => {
        if (line.startsWith('remote:')) controller.abort(new Error('cancelled by the user'))
      }
    })
    await expect(fetching).rejects.toThrow('cancelled by the user')
    await nothingRunsIn(directory)
    for (const lock of ['shallow.lock', 'HEAD.lock', 'config.lock', 'packed-refs.lock'])
      await writeFile(join(directory, lock), '')
    await mkdir(join(directory, 'refs', 'panel'), { recursive: true })
    await writeFile(join(directory, 'refs', 'panel', 'branch.lock'), '')
    await writeFile(join(directory, 'kept'), '')
    const { uid, gid } = await stat(directory)
    await execute('chown', ['-R', `${uid}:${gid}`, directory])
    expect((await git().fetchBranch(directory, over(http.url(name)), 'main', {})).hash).toBe(hash)
    expect(await leftovers(directory)).toEqual([])
    await access(join(directory, 'kept'))
  })

  test('a call cancelled before its start sends no request', async () => {
    const before = http.requests.length
    const signal = AbortSignal.abort(new Error('too late'))
    await expect(git().fetchBranch(directory, over(http.url('a/b')), 'main', { signal })).rejects.toThrow('too late')
    expect(http.requests.length).toBe(before)
  })

  test('a damaged repository is fetched again', async () => {
    const name = newName()
    const hash = await http.createRepository(name, big())
    const remote = over(http.url(name))
    await mkdir(directory, { recursive: true })
    await writeFile(join(directory, 'HEAD'), 'half made')
    expect((await git().fetchBranch(directory, remote, 'main', {})).hash).toBe(hash)
    const packs = join(directory, 'objects', 'pack')
    for (const pack of (await readdir(packs)).filter((file) => file.endsWith('.pack'))) {
      await chmod(join(packs, pack), 0o600)
      await truncate(join(packs, pack), 100)
    }
    expect((await git().fetchBranch(directory, remote, 'main', {})).hash).toBe(hash)
    await rm(packs, { recursive: true })
    expect((await git().fetchBranch(directory, remote, 'main', {})).hash).toBe(hash)
    expect(await git().readFile(directory, hash, 'big.bin', 10)).toBeUndefined()
  })
})

test('git has a memory limit, and the reason is reported', async () => {
  const name = newName()
  await http.createRepository(name, { file: 'x' })
  const megabytes = 96
  // Small when packed, large in memory.
  await http.commit(name, { file: 'y' }, 'x'.repeat(megabytes * 2 ** 20))
  await mkdir(directory, { recursive: true })
  await execute('git', ['init', '--bare', '--quiet', directory])
  const argv = fetchArgv(http.url(name), '+refs/heads/main:refs/panel/branch', 1)
  const [file, , ...rest] = argv
  const smaller = [file, `--as=${megabytes * 2 ** 20}`, ...rest] as const
  const failure: unknown = await run(smaller, {
    cwd: directory,
    timeoutMs: 60_000,
    env: gitEnv({ knownHostsPath })
  }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ProcessError)
  const sentence = fetchProblem((failure as ProcessError).stderr, { url: http.url(name), branch: 'main' })
  expect(sentence).toEqual({ code: 'GIT_OUT_OF_MEMORY', values: { gibibytes: 2 } })
})

describe('git runs unprivileged', () => {
  const nobody = { Groups: '', CapEff: noCapability, CapBnd: noCapability, NoNewPrivs: '1' }

  /** The user that git and its children run as in a repository; undefined while any of them still runs as root. */
  async function jobUser(place: string): Promise<number | undefined> {
    const { uid } = await stat(place)
    const found = await Promise.all((await processesIn(place)).map(statusOf))
    const isTheirs = found.every((each) => each.Uid === Array(4).fill(uid).join('\t') && isMatch(each, nobody))
    return found.length > 1 && isTheirs ? uid : undefined
  }
  const isMatch = (status: Record<string, string>, wanted: Record<string, string>) =>
    Object.entries(wanted).every(([name, value]) => status[name] === value)

  const silent = createServer()
  let silentUrl: string
  beforeAll(async () => {
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    silentUrl = `ssh://git@127.0.0.1:${(silent.address() as AddressInfo).port}/a/b.git`
  })
  afterAll(() => void silent.close())

  test.each(['http', 'ssh'] as const)('over %s, with a different user per repository', async (kind) => {
    const held = await Promise.all(
      [1, 2].map(async () => {
        const name = newName()
        await http.createRepository(name, { a: '1' })
        const place = join(scratch, `project-${++counter}`, 'repository.git')
        const controller = new AbortController()
        const remote = kind === 'http' ? over(http.url(name, 'hang')) : over(silentUrl, (await deployKey()).path)
        const fetching = git().fetchBranch(place, remote, 'main', { signal: controller.signal })
        fetching.catch(() => {})
        return { place, controller, fetching }
      })
    )
    const users: number[] = []
    for (const { place } of held) {
      await expect.poll(() => jobUser(place).catch(() => undefined)).toBeGreaterThan(0)
      users.push((await stat(place)).uid)
    }
    expect(new Set([0, ...users]).size).toBe(3)
    // Of no container: all processes of the user are ended after its job.
    expect(Math.min(...users)).toBeGreaterThan(2_000_000_000)
    for (const { place, controller, fetching } of held) {
      controller.abort(new Error('enough'))
      await expect(fetching).rejects.toThrow('enough')
      await nothingRunsIn(place)
      await expect(access(join(place, credentialsDirectory))).rejects.toMatchObject({ code: 'ENOENT' })
    }
  })

  test('its user reaches no repository, not even an earlier one of its own', async () => {
    const name = newName()
    await http.createRepository(name, { a: '1' })
    await git().fetchBranch(directory, over(http.url(name)), 'main', {})
    const { uid, gid } = await stat(directory)
    await chmod(join(scratch, '..'), 0o755)
    const check = run(['ls', '--', directory], { timeoutMs: 10_000, as: { uid, gid } })
    await expect(check).rejects.toMatchObject({ stderr: expect.stringContaining('Permission denied') as string })
  })

  test('detached child processes end with the call', async () => {
    await mkdir(directory, { recursive: true })
    const escaped = await withJobUser(directory, run, async (as) => {
      const script = 'setsid --fork sleep 300 >/dev/null 2>&1'
      await run(['sh', '-c', script], { timeoutMs: 10_000, cwd: directory, as })
      return processesIn(directory)
    })
    expect(escaped).toHaveLength(1)
    await nothingRunsIn(directory)
  })
})

describe('a single commit', () => {
  test('is found at any distance from the head, with either version of the protocol', async () => {
    const name = newName()
    const first = await http.createRepository(name, { a: '0' })
    const hashes = [
      first,
      ...(await http.commitAll(
        name,
        Array.from({ length: 55 }, (_, n) => ({ a: String(n + 1) }))
      ))
    ]
    const fetched = async (behaviour: 'plain' | 'version0', hash: string) => {
      const place = `${directory}.${behaviour}`
      expect((await git().fetchCommit(place, over(http.url(name, behaviour)), 'main', hash, {})).hash).toBe(hash)
      return place
    }
    for (const behaviour of ['plain', 'version0'] as const)
      for (const behind of [0, 1, 50, 55, 1]) {
        const hash = hashes.at(-1 - behind)!
        expect(await git().readFile(await fetched(behaviour, hash), hash, 'a', 10)).toBe(String(55 - behind))
      }
    const side = await http.commit(name, { b: '1' }, 'side', 'side')
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
    const merge = await http.git(name, ...author, 'commit-tree', 'main^{tree}', '-p', 'main', '-p', side, '-m', 'merge')
    await http.git(name, 'update-ref', 'refs/heads/main', merge)
    for (const behaviour of ['plain', 'version0'] as const)
      for (const hash of [side, merge, hashes.at(-1)!]) await fetched(behaviour, hash)
  })

  test.each(['plain', 'version0'] as const)('outside the branch is refused (%s)', async (behaviour) => {
    const name = newName()
    const first = await http.createRepository(name, { a: '0' })
    const remote = over(http.url(name, behaviour))
    const refused = async (hash: string, message = /^Commit \w+ is not on branch main.* fork\. Nothing was built/) =>
      expect(git().fetchCommit(directory, remote, 'main', hash, {})).rejects.toEqual(unreachable(message))
    // A commit of a fork: the server serves it by hash.
    const stray = await http.commit(name, { a: 'evil' }, 'of a fork', 'fork')
    await git().fetchBranch(directory, remote, 'fork', {})
    await http.git(name, 'update-ref', '-d', 'refs/heads/fork')
    await refused(stray)
    await http.git(name, 'update-ref', 'refs/heads/next', first)
    await refused(await http.commit(name, { a: '1' }, 'not yet', 'next'))
    // Removed by a force push after it was built.
    const second = await http.commit(name, { a: '2' }, 'second')
    expect((await git().fetchCommit(directory, remote, 'main', second, {})).hash).toBe(second)
    await http.git(name, 'update-ref', 'refs/heads/main', first)
    await refused(second)
    expect((await git().fetchCommit(directory, remote, 'main', first, {})).hash).toBe(first)
    await refused(await http.git(name, 'rev-parse', 'main^{tree}'))
    await http.git(name, 'update-ref', '-d', 'refs/heads/main')
    await refused(first, /no branch "main"/)
  })

  test.each(['plain', 'version0'] as const)('that does not exist is refused (%s)', async (behaviour) => {
    const name = newName()
    await http.createRepository(name, { a: '0' })
    const hash = 'deadbeef'.repeat(5)
    const fetching = git().fetchCommit(directory, over(http.url(name, behaviour)), 'main', hash, {})
    await expect(fetching).rejects.toEqual(unreachable(/Commit deadbeef.* is not on branch main/))
  })

  test.each(['x;id', 'HEAD', '--help', 'a'.repeat(41), 'A'.repeat(40), '', `${'a'.repeat(40)}\n`])(
    'named %j never reaches git',
    async (hash) => {
      const refused = { kind: 'revision-invalid' }
      await expect(async () =>
        git().fetchCommit(directory, over(http.url('a/b')), 'main', hash, {})
      ).rejects.toMatchObject(refused)
      await expect(git().listFiles(directory, hash)).rejects.toMatchObject(refused)
      await expect(git().readFile(directory, hash, 'a', 1)).rejects.toMatchObject(refused)
      await expect(buffer(git().archive(directory, hash, noSignal))).rejects.toMatchObject(refused)
    }
  )
})

describe('repository content is inert', () => {
  test('links are not followed, submodules not fetched, hooks not run, attributes ignored', async () => {
    const name = newName()
    const hook = join(scratch, 'hook-ran')
    const hash = await http.createRepository(name, {
      '.gitattributes': 'secret.txt export-ignore\nversion.txt export-subst\n* export-ignore\n',
      '.gitmodules': '[submodule "evil"]\n\tpath = evil\n\turl = file:///etc\n',
      'secret.txt': 'kept',
      'version.txt': '$Format:%H$',
      Dockerfile: { symlinkTo: '/etc/passwd' },
      'bin/run': { executable: '#!/bin/sh\n' },
      'hooks/post-checkout': { executable: `#!/bin/sh\ntouch "${hook}"\n` },
      'name with\nnewline $(id)': 'odd',
      'lfs.bin': 'version https://git-lfs.github.com/spec/v1\n',
      evil: { submodule: 'f'.repeat(40) }
    })
    const local = git()
    await local.fetchBranch(directory, over(http.url(name)), 'main', {})
    for (const file of ['reference-transaction', 'post-checkout', 'post-merge']) {
      await mkdir(join(directory, 'hooks'), { recursive: true })
      await writeFile(join(directory, 'hooks', file), `#!/bin/sh\ntouch "${hook}"\n`, { mode: 0o755 })
    }
    await http.commit(name, { 'later.txt': '1' }, 'later')
    await local.fetchBranch(directory, over(http.url(name)), 'main', {})
    await expect(access(hook)).rejects.toMatchObject({ code: 'ENOENT' })

    const kinds = Object.fromEntries((await local.listFiles(directory, hash)).map(({ path, kind }) => [path, kind]))
    expect(kinds).toEqual({
      '.gitattributes': 'file',
      '.gitmodules': 'file',
      'secret.txt': 'file',
      'version.txt': 'file',
      Dockerfile: 'symlink',
      'bin/run': 'file',
      'hooks/post-checkout': 'file',
      'name with\nnewline $(id)': 'file',
      'lfs.bin': 'file',
      evil: 'submodule'
    })
    for (const path of ['Dockerfile', 'evil', 'bin', '../x', '/etc/passwd', '', 'a\0b', 'nowhere', '*', ':(glob)**']) {
      expect(await local.readFile(directory, hash, path, 1000), path).toBeUndefined()
    }
    expect(await local.readFile(directory, hash, 'secret.txt', 4)).toBe('kept')
    expect(await local.readFile(directory, hash, 'secret.txt', 3)).toBeUndefined()
    expect(await local.readFile(directory, hash, 'name with\nnewline $(id)', 10)).toBe('odd')

    const found = await namesIn(local.archive(directory, hash, noSignal))
    expect(found['secret.txt']?.text).toBe('kept')
    expect(found['version.txt']?.text).toBe('$Format:%H$')
    expect(found.Dockerfile?.type).toBe('symlink')
    expect(found['evil/']?.type).toBe('directory')
    expect(
      Object.keys(found)
        .filter((path) => !path.endsWith('/'))
        .sort()
    ).toEqual(
      Object.keys(kinds)
        .filter((path) => path !== 'evil')
        .sort()
    )
  })

  test('a tree with entries outside its directory is refused', async () => {
    const name = newName()
    await http.createRepository(name, { a: '1' })
    const blob = await http.git(name, 'rev-parse', 'main:a')
    const bytes = join(scratch, 'tree')
    const inner = Buffer.concat([Buffer.from('100644 x\0'), Buffer.from(blob, 'hex')])
    await writeFile(bytes, inner)
    const innerHash = await http.git(name, 'hash-object', '-t', 'tree', '-w', '--literally', bytes)
    await writeFile(bytes, Buffer.concat([Buffer.from('40000 ..\0'), Buffer.from(innerHash, 'hex')]))
    const tree = await http.git(name, 'hash-object', '-t', 'tree', '-w', '--literally', bytes)
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
    const hash = await http.git(name, ...author, 'commit-tree', tree, '-m', 'evil')
    await http.git(name, 'update-ref', 'refs/heads/evil', hash)
    await expect(git().fetchBranch(directory, over(http.url(name)), 'evil', {})).rejects.toEqual(
      unreachable(/invalid objects/)
    )
  })

  test('an archive that is too large, cancelled or empty fails, never looks complete', async () => {
    const name = newName()
    const hash = await http.createRepository(name, { 'big.bin': randomBytes(2 ** 20) })
    await git().fetchBranch(directory, over(http.url(name)), 'main', {})
    const small = git({ maxArchiveBytes: 2 ** 16 })
    await expect(buffer(small.archive(directory, hash, noSignal))).rejects.toMatchObject({ reason: 'output-limit' })
    await expect(buffer(git().archive(directory, hash, AbortSignal.abort()))).rejects.toMatchObject({
      reason: 'aborted'
    })
    await expect(buffer(git().archive(directory, 'e'.repeat(40), noSignal))).rejects.toMatchObject({ reason: 'failed' })
    await expect(git().listFiles(directory, 'e'.repeat(40))).rejects.toEqual(
      unreachable(/not in the fetched repository/)
    )
    git()
      .archive(directory, hash, noSignal)
      .on('error', () => {})
      .destroy()
    expect((await buffer(git().archive(directory, hash, noSignal))).length).toBeGreaterThan(2 ** 20)
    await nothingRunsIn(directory)
  })
})

test('ssh-keygen can read a deploy key', async () => {
  const { path, publicKey } = await deployKey()
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const { stdout } = await execute('ssh-keygen', ['-y', '-f', path])
  expect(stdout.trim()).toBe(publicKey)
  expect(publicKey).toMatch(/^ssh-ed25519 AAAA\S+ panel-deploy$/)
})

async function leftovers(path: string): Promise<string[]> {
  const files = await readdir(path, { recursive: true }).catch(() => [])
  return files.filter((file) => /\.lock$|tmp_(pack|idx)_/.test(file))
}
