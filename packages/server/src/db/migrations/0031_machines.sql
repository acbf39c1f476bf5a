ALTER TABLE "nodes" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "roles" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
-- There is one, on which everything runs; rows that were added by hand keep their id as a name.
UPDATE "nodes" SET "name" = CASE WHEN "id" = (SELECT "id" FROM "nodes" ORDER BY "created_at", "id" LIMIT 1) THEN 'local' ELSE "id" END, "roles" = '{CONTROL,SITES,EDGE,DNS,MAIL,DATABASES,BUILD}';--> statement-breakpoint
ALTER TABLE "nodes" ALTER COLUMN "name" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "labels" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "ssh" jsonb;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "is_paused" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "missed_checks" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "facts" jsonb;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "problems" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "machine_labels" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "nodes_name_key" ON "nodes" USING btree ("name");