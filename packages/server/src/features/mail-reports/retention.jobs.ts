import type { Dependencies } from '../../dependencies.ts'
import { deleteOldReports, deleteSurplusReports } from './mail-reports.repository.ts'

const batch = 500
/** Per domain. Anyone can send reports: without a limit, one domain could fill the database. */
const maxRows = 50_000

export async function purgeReports({ config, db, now }: Dependencies): Promise<void> {
  const before = new Date(now().getTime() - config.MAIL_REPORTS_KEEP_DAYS * 24 * 3_600_000)
  while ((await deleteOldReports(db, before, batch)) === batch);
  await deleteSurplusReports(db, maxRows)
}
