import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ensureDebianPackages } from '../packages/server/src/cli/debian-packages.ts'
import { run } from '../packages/server/src/infra/process/run.ts'
import { killProcesses } from '../e2e/support/processes.ts'
import { makeRootDirectory } from '../e2e/support/root-directory.ts'
import { startStorePair } from '../e2e/support/store-pair.ts'
import { median, report } from './figures.ts'
import { startMeasuredPanel } from './panel.ts'
import { step } from './step.ts'

const execute = promisify(execFile)
const rounds = 3
const writeMs = 50

/** The panel's database on two PostgreSQL servers under Patroni: for how long the panel accepts no change when the primary is replaced, and when it crashes. */
export async function benchStorePair(): Promise<void> {
  await ensureDebianPackages(run, ['patroni', 'etcd-server', 'postgresql', 'haproxy'])
  const directory = await makeRootDirectory()
  const panel = await startMeasuredPanel()
  try {
    const admin = await panel.signUp('admin')
    const { id } = await admin.createProject({ type: 'NODEJS' })
    await panel.stop()
    const pair = await step('starting the two servers', () => startStorePair(directory))
    const env = { PATH: process.env.PATH, PANEL_NODE: process.execPath, DATA_DIR: panel.dataDir, NEW_DATABASE_URL: pair.url } // oxfmt-ignore
    const command = fileURLToPath(new URL('../panel', import.meta.url))
    await step('./panel store move', () => execute(command, ['store', 'move'], { env }))
    await panel.start()
    let value = 0
    const write = () =>
      admin.request('POST', `/projects/${id}/env`, { key: 'COUNT', value: String(++value) }).then(
        ({ status }) => status < 300,
        () => false
      )
    /** Seconds without an accepted change while `fail` happens. */
    const gapWhile = async (fail: () => Promise<void>): Promise<number> => {
      let longest = 0
      let isOver = false
      const writing = (async () => {
        let goodAt = performance.now()
        for (let isGood = true; !isOver || !isGood; await sleep(writeMs)) {
          isGood = await write()
          if (!isGood) continue
          longest = Math.max(longest, performance.now() - goodAt)
          goodAt = performance.now()
        }
      })()
      await fail()
      isOver = true
      await writing
      return longest / 1000
    }
    const figures = { replaced: [] as number[], crashed: [] as number[] }
    for (let round = 1; round <= rounds; round++) {
      await step(`round ${round} of ${rounds}: the primary is replaced`, async () => void figures.replaced.push(await gapWhile(pair.switchOver))) // oxfmt-ignore
      await step(`round ${round} of ${rounds}: the primary crashes`, async () => {
        let recover = async () => {}
        figures.crashed.push(await gapWhile(async () => void (recover = await pair.crash())))
        await recover()
      })
    }
    for (const [what, values] of [
      ['was replaced', figures.replaced],
      ['crashed', figures.crashed]
    ] as const)
      // oxfmt-ignore
      report(`no change accepted after the primary ${what}, median / longest`, `${median(values).toFixed(1)} / ${Math.max(...values).toFixed(1)} s`)
  } finally {
    await panel.dispose()
    await killProcesses(directory)
    await rm(directory, { recursive: true, force: true })
  }
}
