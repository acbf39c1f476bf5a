import { ChannelsSection } from './channels-section.tsx'
import { Matrix } from './matrix.tsx'
import { NotificationTabs } from './notification-tabs.tsx'
import { QuietHours } from './quiet-hours.tsx'

export function ChannelsTab() {
  return (
    <>
      <NotificationTabs />
      <ChannelsSection />
      <Matrix />
      <QuietHours />
    </>
  )
}
