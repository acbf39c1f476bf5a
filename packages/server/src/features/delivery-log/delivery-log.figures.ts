import type { FigureSource } from '../metric-source.ts'

const family = 'panel_mail_deliveries_per_minute'

export const deliveryFigures: FigureSource = {
  families: [{ name: family, help: 'Delivery attempts per recipient in the last interval', labels: ['status'] }],
  async read({ config, deliveryLog, now }, minutes) {
    if (!config.MAIL) return []
    const counts = await deliveryLog.count(new Date(now().getTime() - minutes * 60_000))
    return Object.entries(counts).map(([status, n]) => ({ family, labels: { status }, value: n / minutes }))
  }
}
