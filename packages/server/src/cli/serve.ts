import { mkdir } from 'node:fs/promises'
import { installCrashHandler } from '../process/crash-handler.ts'
import { createLogger } from '../process/logger.ts'
import { openPanelLog } from '../process/panel-log.ts'
import { startPanel } from '../server.ts'
import type { CommandContext } from './command.ts'
import { runUntilStopped } from './until-stopped.ts'
import { loadConfig } from './settings.ts'

/** `./panel serve`: only the panel. GET /api/health lists missing components. */
export async function serve({ env }: CommandContext): Promise<void> {
  const config = await loadConfig(env)
  await runUntilStopped(async () => {
    await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 })
    const logger = createLogger(config.LOG_LEVEL, openPanelLog(config, env))
    installCrashHandler(logger)
    const panel = await startPanel(config, logger)
    process.stdout.write(`Panel ready: http://${config.HOST}:${panel.address.port}\n`)
    return () => panel.close()
  })
}
