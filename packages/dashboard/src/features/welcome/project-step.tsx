import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { welcomeMessages } from './welcome.messages.ts'
import classes from './welcome.module.css'

export function ProjectStep() {
  const t = useMessages(welcomeMessages)
  return (
    <div className={classes.acts}>
      <Button component={Link} to="/projects/new">
        {t('project.new')}
      </Button>
    </div>
  )
}
