import { attentionItem, type AttentionSource, foundIn } from '../attention.ts'
import { currentAlerts, findFullDisk } from './alerts.service.ts'

/** Disks that are nearly full, and the panel's own if it soon will be. */
export const fullDisks: AttentionSource = {
  isOfServer: true,
  async list(deps) {
    const own = await findFullDisk(deps)
    const full = own === undefined ? [] : [attentionItem('DISK_NEARLY_FULL', 'disk', own.path, own.path)]
    const alerts = (await currentAlerts(deps)).map(({ alert, row, forecast }) => {
      if (alert.about === 'disk') return attentionItem('DISK_NEARLY_FULL', 'disk', alert.path, alert.path)
      const { path } = row.disks.find(({ isPanels }) => isPanels)!
      const detail = String(Math.floor(forecast!.daysUntilFull!))
      return attentionItem('DISK_FILLING_UP', 'disk', path, path, { detail })
    })
    // A disk that is full already needs no forecast.
    const items = [...full, ...alerts.filter(({ code }) => code !== 'DISK_FILLING_UP' || full.length === 0)]
    return foundIn(items, (item) => item)
  }
}
