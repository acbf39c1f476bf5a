import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../db/database.ts'
import { runOutput, runs } from '../../db/schema/runs.ts'

/** False if the run was deleted in the meantime. */
export async function appendOutput(db: Queryable, runId: string, text: string): Promise<boolean> {
  const { rowCount } = await db.execute(
    sql`insert into run_output (run_id, text) select ${runId}, ${text} where exists (select from runs where id = ${runId})`
  )
  return rowCount === 1
}

export async function deleteOutput(db: Queryable, runId: string): Promise<void> {
  await db.delete(runOutput).where(eq(runOutput.runId, runId))
}

/** Removes the oldest chunks above `maxBytes` and notes it in the run. */
export async function trimOutput(db: Database, runId: string, maxBytes: number): Promise<void> {
  await db.transaction(async (trx) => {
    const { rowCount } = await trx.execute(sql`
      delete from run_output where run_id = ${runId} and seq in (
        select seq from (
          select seq, sum(octet_length(text)) over (order by seq desc) as total from run_output where run_id = ${runId}
        ) as chunks where total > ${maxBytes})`)
    if ((rowCount ?? 0) > 0) await trx.update(runs).set({ isTruncated: true }).where(eq(runs.id, runId))
  })
}

export async function readOutput(
  db: Queryable,
  runId: string,
  after: number,
  chunks: number
): Promise<{ seq: number; text: string }[]> {
  return db
    .select({ seq: runOutput.seq, text: runOutput.text })
    .from(runOutput)
    .where(and(eq(runOutput.runId, runId), gt(runOutput.seq, after)))
    .orderBy(asc(runOutput.seq))
    .limit(chunks)
}
