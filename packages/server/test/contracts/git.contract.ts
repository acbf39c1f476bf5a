import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { extract } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Git, GitRemote } from '../../src/infra/git/git.ts'
import { madeTar } from '../fixtures/archive.fixture.ts'

interface GitEnvironment {
  git: Git
  /** One commit, `first commit`, on the branch main with index.html: `hello`. */
  remote: GitRemote
  /** A commit that the server returns by hash but that is on no branch. */
  strayCommit: string
  unreachable: GitRemote
  close(): Promise<void>
}

/** Contract of every Git. */
export function describeGit(name: string, open: () => Promise<GitEnvironment>): void {
  describe(`git: ${name}`, () => {
    let environment: GitEnvironment
    let directory: string
    beforeAll(async () => {
      environment = await open()
      directory = await mkdtemp(join(tmpdir(), 'panel-git-contract-'))
    })
    afterAll(async () => {
      await environment?.close()
      await rm(directory, { recursive: true, force: true })
    })
    const repository = () => join(directory, 'repository.git')
    const head = () => environment.git.fetchBranch(repository(), environment.remote, 'main', {})

    test('a branch is fetched with head and message, repeatedly', async () => {
      const commit = await head()
      expect(commit).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{40}$/), message: 'first commit' })
      expect(await head()).toEqual(commit)
    })

    test('a commit is fetched by hash', async () => {
      const commit = await head()
      expect(await environment.git.fetchCommit(repository(), environment.remote, 'main', commit.hash, {})).toEqual(
        commit
      )
    })

    test('a commit on no branch is refused', async () => {
      const { git, remote, strayCommit } = environment
      await expect(git.fetchCommit(repository(), remote, 'main', strayCommit, {})).rejects.toMatchObject({
        kind: 'repository-unavailable',
        sentences: [{ code: 'GIT_NOT_ON_BRANCH', values: { commit: strayCommit, branch: 'main' } }]
      })
    })

    test('an archive becomes a repository of its own', async () => {
      const archive = gzipSync(await madeTar([{ name: './index.html', content: 'hello' }, { name: '.git/config' }]))
      const limits = { maxBytes: 100, maxFiles: 2, timeoutMs: 60_000 }
      const imported = await environment.git.importArchive(join(directory, 'a', 'repository.git'), Readable.from([archive]), limits) // oxfmt-ignore
      expect(imported).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{40}$/), files: 1, bytes: 5 })
      const repeated = join(directory, 'b', 'repository.git')
      const refused = environment.git.importArchive(repeated, Readable.from([archive.subarray(0, -20)]), limits)
      await expect(refused).rejects.toMatchObject({ kind: 'archive-invalid' })
      await expect(stat(repeated)).rejects.toMatchObject({ code: 'ENOENT' })
      expect(await environment.git.listFiles(join(directory, 'a', 'repository.git'), imported.hash)).toEqual([
        { path: 'index.html', kind: 'file', sizeBytes: 5 }
      ])
    })

    test('returns the last fetched head, or none', async () => {
      const { hash } = await head()
      expect(await environment.git.findHead(repository())).toBe(hash)
      expect(await environment.git.findHead(join(directory, 'absent.git'))).toBeUndefined()
    })

    test('lists branches and the default one', async () => {
      const path = join(directory, 'listed', 'repository.git')
      expect(await environment.git.listBranches(path, environment.remote, {})).toEqual({
        names: ['main'],
        head: 'main'
      })
      await expect(environment.git.listBranches(path, environment.unreachable, {})).rejects.toMatchObject({
        kind: 'repository-unavailable',
        sentences: [{ code: 'GIT_NOT_REACHED' }]
      })
    })

    test('no commits between equal ones', async () => {
      const { hash } = await head()
      const range = { branch: 'main', from: hash, to: hash }
      const path = join(directory, 'history', 'repository.git')
      expect(await environment.git.listCommits(path, environment.remote, range, {})).toEqual({
        commits: [],
        isComplete: true
      })
    })

    test('files of a commit are listed and read', async () => {
      const { hash } = await head()
      expect(await environment.git.listFiles(repository(), hash)).toEqual([
        { path: 'index.html', kind: 'file', sizeBytes: 5 }
      ])
      expect(await environment.git.readFile(repository(), hash, 'index.html', 5)).toBe('hello')
      expect(await environment.git.readFile(repository(), hash, 'index.html', 4)).toBeUndefined()
      expect(await environment.git.readFile(repository(), hash, 'absent.html', 100)).toBeUndefined()
    })

    test('an archive is a tar of them', async () => {
      const { hash } = await head()
      const archive = environment.git.archive(repository(), hash, new AbortController().signal)
      const found: Record<string, string> = {}
      for await (const entry of archive.pipe(extract()))
        if (entry.header.type === 'file') found[entry.header.name] = await text(entry)
      expect(found).toEqual({ 'index.html': 'hello' })
    })

    test('a deploy key is a pair with a private file', async () => {
      const path = join(directory, 'keys', 'id')
      expect(await environment.git.createDeployKey(path)).toMatch(/^ssh-ed25519 [A-Za-z0-9+/=]+( |$)/)
      expect((await stat(path)).mode & 0o777).toBe(0o600)
      expect(await readFile(path, 'utf8')).toContain('PRIVATE KEY')
    })

    test('a repository is removed completely; repeating changes nothing', async () => {
      const path = join(directory, 'removed.git')
      await environment.git.fetchBranch(path, environment.remote, 'main', {})
      for (let times = 0; times < 2; times++) {
        await environment.git.remove(path)
        await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' })
      }
    })

    test('an unreachable server is a named error', async () => {
      const fetched = environment.git.fetchBranch(join(directory, 'none.git'), environment.unreachable, 'main', {})
      await expect(fetched).rejects.toMatchObject({
        kind: 'repository-unavailable',
        sentences: [{ code: 'GIT_NOT_REACHED' }]
      })
    })

    test('an aborted signal ends a fetch with its reason', async () => {
      const reason = new Error('nobody waits')
      const fetched = environment.git.fetchBranch(repository(), environment.remote, 'main', {
        signal: AbortSignal.abort(reason)
      })
      await expect(fetched).rejects.toBe(reason)
    })
  })
}
