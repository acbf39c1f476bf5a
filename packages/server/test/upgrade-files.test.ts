import { execFile } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEmbeddedPostgres } from '../src/db/embedded-postgres.ts'
import { run } from '../src/infra/process/run.ts'
import { storeDirectory } from '../src/process/paths.ts'
import { prepareUpgrade, readPublicKey } from '../src/upgrade/prepare-upgrade.ts'
import { copyStore, restoreStore } from '../src/upgrade/store-copy.ts'
import { readUpgrade } from '../src/upgrade/upgrade-state.ts'

const execute = promisify(execFile)
const platform = `${process.platform}-${process.arch}`

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'panel-upgrade-files-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

describe('the store', () => {
  const start = () =>
    startEmbeddedPostgres(storeDirectory({ DATA_DIR: directory }), { run, onRestart() {}, onFailure() {} })
  const query = async (url: string, sql: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query<{ n: number }>(sql)).rows
    } finally {
      await client.end()
    }
  }
  const copied = () => copyStore(directory, run)
  const rowsNow = async () => {
    const store = await start()
    try {
      return await query(store.url, 'select n from kept order by n')
    } finally {
      await store.stop()
    }
  }

  test('comes back as it was, whatever a new version did to it, also when that was interrupted', async () => {
    const store = await start()
    await query(store.url, 'create table kept (n int); insert into kept values (1), (2)')
    await store.stop()
    await copied()
    const changed = await start()
    await query(changed.url, 'alter table kept add column other text; delete from kept where n = 1')
    await changed.stop()
    // Killed between the two renames.
    await rename(storeDirectory({ DATA_DIR: directory }), join(directory, 'upgrade/failed-store'))
    await restoreStore(directory, run)
    expect(await rowsNow()).toEqual([{ n: 1 }, { n: 2 }])
    await restoreStore(directory, run)
    expect(await rowsNow()).toEqual([{ n: 1 }, { n: 2 }])
  })
})

describe('a release', () => {
  let publicKey: string
  let config: { DATA_DIR: string; DATABASE_URL: undefined }
  let root: string
  const key = (name: string) => join(directory, `${name}.key`)
  const makeKey = (name: string) => execute('minisign', ['-G', '-W', '-s', key(name), '-p', `${key(name)}.pub`])

  beforeAll(async () => {
    for (const name of ['ours', 'other']) await makeKey(name)
    publicKey = await readPublicKey(`${key('ours')}.pub`)
    config = { DATA_DIR: join(directory, 'data'), DATABASE_URL: undefined }
    root = join(directory, 'versions', '0.1.0')
    for (const path of [config.DATA_DIR, root]) await mkdir(path, { recursive: true })
  })

  interface Made {
    version?: string
    signedVersion?: string
    file?: string
    by?: string
    of?: string
  }
  async function make({ version = '9.0.0', signedVersion = version, by = 'ours', of = platform, file }: Made = {}) {
    const name = `hosting-panel-${version}-${platform}`
    const folder = join(directory, name)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'release.json'), JSON.stringify({ version, platform: of }))
    const archive = `${folder}.tar.gz`
    await execute('tar', ['-czf', archive, '-C', directory, name])
    const comment = `timestamp:1 file:${file ?? `${name}.tar.gz`} version:${signedVersion}`
    await execute('minisign', ['-S', '-s', key(by), '-m', archive, '-t', comment])
    return archive
  }
  const prepare = (source: string) => prepareUpgrade({ config, root, source, publicKey, run, step() {} })

  test.each<[string, Made, RegExp]>([
    ['signed with another key', { by: 'other' }, /signature does not match/],
    ['of another version than was signed', { signedVersion: '9.1.0' }, /contains version 9.0.0/],
    ['that is another signed file', { file: 'install.sh' }, /not a release/],
    ['of this version', { version: '0.1.0' }, /Use a newer release/],
    ['for another platform', { of: 'linux-riscv64' }, /linux-riscv64/]
  ])('%s is refused', async (_what, made, problem) => {
    await expect(prepare(await make(made))).rejects.toThrow(problem)
    expect(await readUpgrade(config.DATA_DIR)).toBeUndefined()
  })

  test('that was changed, or has no signature, is refused', async () => {
    const archive = await make()
    await appendFile(archive, 'x')
    await expect(prepare(archive)).rejects.toThrow(/signature does not match/)
    await rm(`${archive}.minisig`)
    await expect(prepare(archive)).rejects.toThrow(/has no signature/)
  })

  test('that is right is unpacked beside this version and requested once', async () => {
    const archive = await make()
    const state = await prepare(archive)
    expect(state).toMatchObject({ phase: 'requested', from: { directory: root }, to: { version: '9.0.0' } })
    expect(state.to.directory).toBe(join(directory, 'versions', '9.0.0'))
    expect(JSON.parse(await readFile(join(state.to.directory, 'release.json'), 'utf8'))).toMatchObject({
      version: '9.0.0'
    })
    expect(await readUpgrade(config.DATA_DIR)).toEqual(state)
    await expect(prepare(archive)).rejects.toThrow(/in progress/)
  })
})
