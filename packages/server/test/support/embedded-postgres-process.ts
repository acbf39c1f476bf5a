import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts'
import { run } from '../../src/infra/process/run.ts'

// Starts the embedded database in the given folder and waits to be killed.
const { url } = await startEmbeddedPostgres(process.argv[2]!, { run, onRestart: () => {}, onFailure: () => {} })
process.stdout.write(`${url}\n`)
setInterval(() => {}, 60_000)
