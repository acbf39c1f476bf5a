import type { WordpressReplacement } from '@panel/contract/wordpress-care'
import type { Dependencies } from '../../dependencies.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { oneLine } from '../../text/one-line.ts'
import { rewriteValue } from '../wordpress/php-serialized.policy.ts'
import type { SiteDatabase } from '../wordpress/site-database.service.ts'
import { taskProblem } from './task-problem.policy.ts'

// A row is rewritten in one event-loop tick, which blocks other requests.
const rewrittenRowBytes = 8 * 1024 * 1024

/** Also inside serialized values, of the site's tables, by the site's own database account. No PHP runs. */
export async function replaceTexts(
  { siteDatabase }: Pick<Dependencies, 'siteDatabase'>,
  { account, prefix }: SiteDatabase,
  { search, replace, dryRun }: WordpressReplacement,
  signal: AbortSignal
): Promise<{ changed: number; skipped: number }> {
  const [from, to] = [search, replace].map((text) => Buffer.from(text, 'utf8').toString('latin1')) as [string, string]
  const growth = Math.max(1, Math.ceil(to.length / from.length))
  const counts = await siteDatabase
    .rewriteTexts(account, [search], (text) => rewriteValue(text, (value) => value.replaceAll(from, () => to)), {
      maxRowBytes: Math.floor(rewrittenRowBytes / growth),
      prefix,
      // Feed readers recognize posts by it; WordPress advises never to change it.
      exceptColumn: 'guid',
      isDryRun: dryRun,
      signal
    })
    .catch((error: unknown) => {
      if (!(error instanceof AdapterError) || error.kind !== 'statements-refused') throw error
      throw taskProblem({ code: 'REPLACEMENT_FAILED', values: { answer: oneLine(error.sentence, 500) } })
    })
  return { changed: counts.changed, skipped: counts.malformed + counts.tooLarge }
}
