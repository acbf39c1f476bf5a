import { appendFile, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts'
import { run } from '../../src/infra/process/run.ts'
import { execute, socketDirectoryOf } from './test-database.ts'

const memory = '/dev/shm'
// Headroom for what tests write.
const neededBytes = 2 * 2 ** 30

/** The embedded database for one run: in memory if possible, without fsync. */
export async function startPassingStore(): Promise<{ url: string; stop(): Promise<void> }> {
  const directory = await mkdtemp(join((await hasCapacity(memory)) ? memory : tmpdir(), 'panel-test-'))
  const onFailure = (error: unknown) => console.error('the test store is gone', error)
  const store = await startEmbeddedPostgres(directory, { run, onRestart: () => {}, onFailure })
  await appendFile(join(directory, 'cluster', 'postgresql.auto.conf'), 'fsync = off\nfull_page_writes = off\n')
  await execute(store.url, 'select pg_reload_conf()')
  return {
    url: store.url,
    async stop() {
      await store.stop()
      for (const path of [directory, socketDirectoryOf(store.url)]) await rm(path, { recursive: true, force: true })
    }
  }
}

async function hasCapacity(directory: string): Promise<boolean> {
  const found = await statfs(directory).catch(() => undefined)
  return found !== undefined && found.bavail * found.bsize >= neededBytes
}
