import { AppError } from '../../errors.ts'
import { z } from 'zod'
import { readStagedText, writeStagedText } from '../../infra/staging/staging.ts'
import type { StagingPaths } from './import-paths.service.ts'

/** What putting an imported site in place has to know beside its row: written down before, so that any process can finish it. */
const ExchangePlan = z.object({
  /** Tables whose names begin so are the previous site's, or would be taken for the new one's. */
  prefixes: z.array(z.string())
})
type ExchangePlan = z.infer<typeof ExchangePlan>

export const writePlan = ({ plan }: StagingPaths, content: ExchangePlan): Promise<void> =>
  writeStagedText(plan, JSON.stringify(content))

/** Rejects with WORDPRESS_IMPORT_FAILED when what was staged is gone. */
export async function readPlan({ plan, directory }: StagingPaths): Promise<ExchangePlan> {
  const text = await readStagedText(plan)
  if (text === undefined)
    throw new AppError('WORDPRESS_IMPORT_FAILED', { code: 'IMPORT_NOT_KEPT', values: { directory } })
  return ExchangePlan.parse(JSON.parse(text))
}
