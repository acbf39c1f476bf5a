import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { followCertificate } from './cli/panel-listener.ts'
import { runUntilStopped } from './cli/until-stopped.ts'
import { installCrashHandler } from './process/crash-handler.ts'
import { createLogger } from './process/logger.ts'
import { messageOf } from './text/message-of.ts'
import { answerAlive } from './web/web-alive.ts'
import { startWeb } from './web/web.ts'
import { aliveSocket, settingsFile, webPlaces, type WebSettings, workerSocket } from './web/web-files.ts'
import { openWebDependencies } from './wiring/web.ts'

/** Entry point of the web process, which web/web-process.ts starts. */
async function start(): Promise<() => Promise<void>> {
  const settings = JSON.parse(await readFile(join(webPlaces.worker, settingsFile), 'utf8')) as WebSettings
  const { config, databaseUrl, host, disks } = settings
  const logger = createLogger(config.LOG_LEVEL)
  installCrashHandler(logger)
  const deps = await openWebDependencies(config, logger, {
    databaseUrl,
    workerSocket: join(webPlaces.worker, workerSocket),
    spoolDirectory: webPlaces.spool,
    disks
  })
  const web = await startWeb(deps, host)
  const alive = await answerAlive(join(webPlaces.own, aliveSocket), () => web.address)
  const following = new AbortController()
  followCertificate({ deps, address: web.address, listenOn: web.listenOn }, following.signal)
  return async () => {
    following.abort()
    await web.close()
    await deps.close()
    alive.close()
  }
}

await runUntilStopped(start).catch((error: unknown) => {
  process.stderr.write(`panel: ${messageOf(error)}\n`)
  process.exit(1)
})
