import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { abandonedAfterMs, engineOfTerminal } from './terminal-process.service.ts'
import { isAnyTerminalOpen, listAbandonedTerminals, type TerminalRow } from './terminals.repository.ts'
import { recordTerminalEnd } from './terminals.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'engine' | 'logger' | 'nodeId' | 'nodes' | 'now'>

/**
 * Ends the processes of terminals that a killed panel or a cut connection to their machine left behind: the engine keeps
 * them running.
 */
export async function endAbandonedTerminals(
  deps: Deps,
  seenBefore = new Date(deps.now().getTime() - abandonedAfterMs)
): Promise<'again' | 'done'> {
  await Promise.all((await listAbandonedTerminals(deps.db, seenBefore)).map((row) => endAbandoned(deps, row)))
  return (await isAnyTerminalOpen(deps.db)) ? 'again' : 'done'
}

/** One machine that does not respond must not keep the terminals of others. */
async function endAbandoned(deps: Deps, row: TerminalRow): Promise<void> {
  try {
    if (row.processId !== null) await (await engineOfTerminal(deps, row)).endTerminal(row.processId)
    await recordTerminalEnd(deps, row.id, { reason: 'PANEL_STOPPED' })
  } catch (error) {
    deps.logger.warn({ terminal: row.id, error: messageOf(error) }, 'could not end a terminal')
  }
}
