import { readFile, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { ImportPlaces } from './import-places.ts'

/** What putting an imported site in place has to know beside its row: written down before, so that any process can finish it. */
const ExchangePlan = z.object({
  /** Tables whose names begin so are the former site's, or would be taken for the new one's. */
  prefixes: z.array(z.string())
})
type ExchangePlan = z.infer<typeof ExchangePlan>

export const writePlan = ({ plan }: ImportPlaces, content: ExchangePlan): Promise<void> =>
  writeFile(plan, JSON.stringify(content), { mode: 0o600 })

/** Rejects with WORDPRESS_IMPORT_FAILED when what was staged is gone. */
export async function readPlan({ plan, directory }: ImportPlaces): Promise<ExchangePlan> {
  const text = await readFile(plan, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause
    throw new AppError('WORDPRESS_IMPORT_FAILED', `What was unpacked has been removed from ${directory}`, { cause })
  })
  return ExchangePlan.parse(JSON.parse(text))
}
