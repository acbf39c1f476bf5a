ALTER TABLE "processes" ADD COLUMN "out_of_memory_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "processes" ADD COLUMN "out_of_memory_mb" integer;