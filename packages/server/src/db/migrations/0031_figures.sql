CREATE TABLE "figures" (
	"recorded_at" timestamp (3) with time zone NOT NULL,
	"node_id" text NOT NULL,
	"name" text NOT NULL,
	"labels" jsonb NOT NULL,
	"value" double precision NOT NULL,
	CONSTRAINT "figures_recorded_at_node_id_name_labels_pk" PRIMARY KEY("recorded_at","node_id","name","labels")
);
