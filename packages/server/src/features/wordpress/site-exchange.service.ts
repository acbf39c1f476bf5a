import { AppError } from '../../errors.ts'
import { z } from 'zod'
import { readStagedText, writeStagedText } from '../../infra/staging/staging.ts'
import type { StagingPaths } from './import-paths.service.ts'

const ExchangePlan = z.object({
  prefixes: z.array(z.string())
})
type ExchangePlan = z.infer<typeof ExchangePlan>

export const writePlan = ({ plan }: StagingPaths, content: ExchangePlan): Promise<void> =>
  writeStagedText(plan, JSON.stringify(content))

export async function readPlan({ plan, directory }: StagingPaths): Promise<ExchangePlan> {
  const text = await readStagedText(plan)
  if (text === undefined)
    throw new AppError('WORDPRESS_IMPORT_FAILED', { code: 'IMPORT_NOT_KEPT', values: { directory } })
  return ExchangePlan.parse(JSON.parse(text))
}
