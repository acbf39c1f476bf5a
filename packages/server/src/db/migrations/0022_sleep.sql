ALTER TYPE "public"."uptime_pause" ADD VALUE 'PROJECT_ASLEEP';--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "sleep_after_minutes" integer;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "asleep_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "woken_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "projects_sleepers" ON "projects" USING btree ("id") WHERE sleep_after_minutes is not null;