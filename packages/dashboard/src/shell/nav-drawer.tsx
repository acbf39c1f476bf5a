import { Drawer } from '@mantine/core'
import { useMessages } from '../i18n/i18n.tsx'
import { Nav } from './nav.tsx'
import { shellMessages } from './shell.messages.ts'
import classes from './shell.module.css'
import { UserMenu } from './user-menu.tsx'

export function NavDrawer({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const t = useMessages(shellMessages)
  return (
    <Drawer.Root opened={isOpen} onClose={onClose} size={280}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={t('main')} className={classes.drawer}>
        <Drawer.Body className={classes.drawerBody}>
          <Nav onGo={onClose} />
          <UserMenu />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
