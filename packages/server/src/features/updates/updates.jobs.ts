import { lockName } from '../../db/lock.ts'
import { findSetting, saveSetting } from '../../db/settings.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { version } from '../../process/version.ts'
import { notifyAdmins } from '../notifications/notify-access.ts'
import { latestReleaseKey, notifiedReleaseKey } from './release.repository.ts'
import { isNewer } from './version.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'events' | 'jobs' | 'logger' | 'now' | 'updateFeed'>

/** Fetches the latest release and notifies administrators once per newer version. */
export async function checkForUpdate(deps: Deps): Promise<void> {
  const url = deps.config.UPDATE_FEED_URL
  if (url === undefined) return
  const release = await deps.updateFeed.read(url).catch((error: unknown) => {
    deps.logger.warn({ error: messageOf(error) }, 'could not read the latest release')
    throw error
  })
  await deps.db.transaction(async (trx) => {
    await lockName(trx, 'settings')
    await saveSetting(trx, latestReleaseKey, JSON.stringify({ ...release, seenAt: deps.now().toISOString() }))
    const notified = (await findSetting(trx, notifiedReleaseKey)) ?? version
    if (!isNewer(release.version, version) || !isNewer(release.version, notified)) return
    await saveSetting(trx, notifiedReleaseKey, release.version)
    await notifyAdmins(deps, trx, {
      kind: 'update-available',
      subject: { type: 'server', id: 'panel', name: 'The panel' },
      text: [
        {
          code: release.security ? 'UPDATE_OF_SECURITY' : 'UPDATE',
          values: { version: release.version, current: version }
        },
        { code: 'UPDATE_NOTES', values: { url: release.url } }
      ],
      link: '/server/settings'
    })
  })
}
