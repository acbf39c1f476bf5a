import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts'
import { run } from '../../src/infra/process/run.ts'

// Starts the embedded store in the given folder, says so, and waits to be killed: what a panel is that dies by kill -9.
const { url } = await startEmbeddedPostgres(process.argv[2]!, { run, onRestart: () => {}, onFailure: () => {} })
process.stdout.write(`${url}\n`)
setInterval(() => {}, 60_000)
