CREATE TYPE "public"."backup_subject" AS ENUM('PROJECT', 'PANEL');--> statement-breakpoint
DROP INDEX "backups_open";--> statement-breakpoint
ALTER TABLE "backups" ALTER COLUMN "project_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "backups" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "backups" ALTER COLUMN "project_name" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "backup_targets" ADD COLUMN "holds_panel" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "backups" ADD COLUMN "subject" "backup_subject" DEFAULT 'PROJECT' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "backups_open" ON "backups" USING btree (coalesce("project_id", ''),"target_id") WHERE status in ('QUEUED', 'RUNNING');--> statement-breakpoint
ALTER TABLE "backups" ADD CONSTRAINT "backups_of" CHECK ((subject = 'PROJECT') = (project_id is not null and user_id is not null and project_name is not null));