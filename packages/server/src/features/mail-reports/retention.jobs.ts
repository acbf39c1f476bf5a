import type { Dependencies } from '../../dependencies.ts'
import { deleteOldReports, deleteSurplusReports } from './mail-reports.repository.ts'

const batch = 500
/** Of a domain. Anybody can send reports: without it, one domain could fill the store. */
const maxRows = 50_000

/** Deletes reports whose time is over, and of domains that have too many those that came first. */
export async function purgeReports({ config, db, now }: Dependencies): Promise<void> {
  const before = new Date(now().getTime() - config.MAIL_REPORTS_KEEP_DAYS * 24 * 3_600_000)
  while ((await deleteOldReports(db, before, batch)) === batch);
  await deleteSurplusReports(db, maxRows)
}
