import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { requestImageCleanUp } from './image-cleanup.jobs.ts'

/** Cleans up as soon as an administrator changes how much is kept. */
export function watchRetention(deps: Dependencies): { close(): Promise<void> } {
  const values = () => {
    const { BUILD_CACHE_DAYS, IMAGE_DISK_BUDGET, KEEP_RELEASES } = deps.config
    return [BUILD_CACHE_DAYS, IMAGE_DISK_BUDGET, KEEP_RELEASES].join()
  }
  let last = values()
  const end = deps.settings.onChange(() => {
    if (values() === last) return
    last = values()
    requestImageCleanUp(deps).catch((error: unknown) =>
      deps.logger.warn({ error: messageOf(error) }, 'could not request a cleanup of images')
    )
  })
  return { close: async () => end() }
}
