ALTER TABLE "metric_snapshots" ADD COLUMN "network_received" bigint;--> statement-breakpoint
ALTER TABLE "metric_snapshots" ADD COLUMN "network_sent" bigint;