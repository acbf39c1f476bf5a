import type { Dependencies } from '../../dependencies.ts'
import { abandonedAfterMs } from './terminal-process.service.ts'
import { isAnyTerminalOpen, listAbandonedTerminals } from './terminals.repository.ts'
import { recordTerminalEnd } from './terminals.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'engine' | 'now'>

/** Ends the processes of terminals that a killed panel left behind: the engine keeps them running. */
export async function endAbandonedTerminals(
  deps: Deps,
  seenBefore = new Date(deps.now().getTime() - abandonedAfterMs)
): Promise<'again' | 'done'> {
  for (const { id, processId } of await listAbandonedTerminals(deps.db, seenBefore)) {
    if (processId !== null) await deps.engine.endTerminal(processId)
    await recordTerminalEnd(deps, id, { reason: 'PANEL_STOPPED' })
  }
  return (await isAnyTerminalOpen(deps.db)) ? 'again' : 'done'
}
