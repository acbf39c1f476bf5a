ALTER TABLE "container_slots" ADD COLUMN "is_reachable" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "reachable" boolean DEFAULT false NOT NULL;