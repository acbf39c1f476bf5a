CREATE TABLE "account_networks" (
	"node_id" text NOT NULL,
	"number" integer NOT NULL,
	"uid" integer NOT NULL,
	"subnet" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "account_networks_node_id_number_pk" PRIMARY KEY("node_id","number")
);
--> statement-breakpoint
ALTER TABLE "container_slots" ADD COLUMN "network" integer;--> statement-breakpoint
ALTER TABLE "container_slots" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "account_networks" ADD CONSTRAINT "account_networks_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_networks" ADD CONSTRAINT "account_networks_uid_users_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "account_networks_subnet" ON "account_networks" USING btree ("node_id","subnet");--> statement-breakpoint
CREATE INDEX "account_networks_uid" ON "account_networks" USING btree ("uid");--> statement-breakpoint
ALTER TABLE "container_slots" ADD CONSTRAINT "container_slots_network" FOREIGN KEY ("node_id","network") REFERENCES "public"."account_networks"("node_id","number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "container_slots_address" ON "container_slots" USING btree ("node_id","address");